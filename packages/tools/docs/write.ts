/** Regenerates the guides that come from sources; with `--quick` none that takes running them. */
import '../../../test/zapier/app/lift-memory-limit.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { written } from './written.ts';

function write(path: string, text: string): void {
  const file = join(import.meta.dirname, '../../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [path, text] of written) write(path, await text(path));
if (!process.argv.includes('--quick')) {
  const { n8nSchemas, nodesFolder } = await import('./n8n-schemas.ts');
  for (const [path, text] of await n8nSchemas()) write(join(nodesFolder, path), text);
}
