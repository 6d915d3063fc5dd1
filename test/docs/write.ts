/** Regenerates the guides that come from sources. */
import '../zapier/app/lift-memory-limit.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assumptionsPage } from './assumptions-page.ts';
import { eventGuide, eventGuidePage } from './direct-events.ts';
import { n8nMessagesPage } from './n8n-messages/page.ts';
import { n8nReadme, n8nReadmePage } from './n8n-operations.ts';
import { n8nSchemas, nodesFolder } from './n8n-schemas.ts';
import { relayReadme, relayReadmePage } from './relay-settings.ts';
import { typeFiles, typesFolder } from './types/write.ts';
import { messageRows, messagesPage } from './zapier-messages/page.ts';
import { zapierReadme, zapierReadmePage } from './zapier-offers.ts';

function write(path: string, text: string): void {
  const file = join(import.meta.dirname, '../..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const [name, text] of typeFiles()) write(join(typesFolder, name), text);
write('docs/assumptions.md', assumptionsPage());
write(eventGuide, eventGuidePage());
write('docs/n8n-messages.md', await n8nMessagesPage());
write('docs/zapier-messages.md', messagesPage(await messageRows()));
write(n8nReadme, await n8nReadmePage());
write(zapierReadme, zapierReadmePage());
write(relayReadme, relayReadmePage());
for (const [path, text] of await n8nSchemas()) write(join(nodesFolder, path), text);
