/** Writes the guides that are made from sources anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assumptionsPage } from './assumptions-page.ts';
import { n8nMessagesPage } from './n8n-messages/page.ts';

const write = (page: string, text: string) =>
  writeFileSync(join(import.meta.dirname, '../../docs', page), text);

write('assumptions.md', assumptionsPage());
write('n8n-messages.md', await n8nMessagesPage());
