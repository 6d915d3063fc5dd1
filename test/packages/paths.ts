import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

const programs = {
  attw: 'test/node_modules/.bin/attw',
  publint: 'test/node_modules/.bin/publint',
  tsc: 'node_modules/.bin/tsc',
};

/** A program that the workspace depends on. */
export function programOf(name: keyof typeof programs): string {
  return join(root, programs[name]);
}
