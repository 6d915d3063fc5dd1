import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const path = createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.min.js');

/** The library that changes the open page into a fresh one (0BSD). */
export const idiomorph: string = readFileSync(path, 'utf8');
