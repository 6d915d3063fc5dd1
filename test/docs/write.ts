/** Writes the guides that are made from sources anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assumptionsPage } from './assumptions-page.ts';

writeFileSync(join(import.meta.dirname, '../../docs/assumptions.md'), assumptionsPage());
