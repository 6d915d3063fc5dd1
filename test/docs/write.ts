/** Regenerates the guides that come from sources. */
import '../zapier/app/lift-memory-limit.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { n8nMessagesPage } from './n8n-messages/page.ts';
import { n8nSchemas, nodesFolder } from './n8n-schemas.ts';
import { written } from './written.ts';
import { messageRows, messagesPage } from './zapier-messages/page.ts';

function write(path: string, text: string): void {
  const file = join(import.meta.dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [path, text] of written) write(path, await text(path));
write('docs/n8n-messages.md', await n8nMessagesPage());
write('docs/zapier-messages.md', messagesPage(await messageRows()));
for (const [path, text] of await n8nSchemas()) write(join(nodesFolder, path), text);
