import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Changes the open page into a fresh one, so that focus, opened details and clicks survive. */
export const idiomorph = readFileSync(
  createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.min.js'),
  'utf8',
);
