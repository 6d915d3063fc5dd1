/** Writes the guides that are made from sources anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assumptionsPage } from './assumptions-page.ts';
import { messageRows, messagesPage } from './zapier-messages/page.ts';

const guides = join(import.meta.dirname, '../../docs');

writeFileSync(join(guides, 'assumptions.md'), assumptionsPage());
writeFileSync(join(guides, 'zapier-messages.md'), messagesPage(await messageRows()));
