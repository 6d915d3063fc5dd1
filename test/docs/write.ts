/** Regenerates the guides that come from sources; with `--quick` none that takes running them. */
import '../zapier/app/lift-memory-limit.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { written } from './written.ts';

function write(path: string, text: string): void {
  const file = join(import.meta.dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [path, text] of written) write(path, await text(path));
if (!process.argv.includes('--quick')) {
  const { n8nMessagesPage } = await import('./n8n-messages/page.ts');
  const { n8nSchemas, nodesFolder } = await import('./n8n-schemas.ts');
  const { messageRows, messagesPage } = await import('./zapier-messages/page.ts');
  write('docs/n8n-messages.md', await n8nMessagesPage());
  write('docs/zapier-messages.md', messagesPage(await messageRows()));
  for (const [path, text] of await n8nSchemas()) write(join(nodesFolder, path), text);
}
