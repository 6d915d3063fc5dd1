import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../run.ts';
import type { Tarball } from '../../tarball.ts';

interface Manager {
  readonly program: string;
  readonly add: readonly string[];
}

/** The oldest of its kind in use: newer ones forgive more. */
const npm: Manager = {
  program: 'npx',
  add: ['-y', 'npm@10.9.9', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
};
const pnpm: Manager = { program: 'pnpm', add: ['add', '--prefer-offline'] };

const managers = { npm, pnpm };

/** A project's own version of what the core can use. The core takes its zod. */
const others = [
  ['undici@5.29.0', 'zod@4.6.0'],
  ['undici@6.29.1'],
  ['undici@7.30.2'],
  ['undici@8.12.4'],
] as const;

const program = `
import { createRequire } from 'node:module';
import { operations } from '@screen-advertising/core';
if (!operations['screen.list']) throw new Error('The catalogue is empty.');
const { operations: required } = createRequire(import.meta.url)('@screen-advertising/core');
if (!required['screen.list']) throw new Error('The catalogue is empty.');
`;

/**
 * Installs the packed core before and after other packages of a project, with each manager. Yields
 * what works; throws with the manager's output otherwise.
 */
export async function* tryInstalls(parent: string, core: Tarball): AsyncGenerator<string> {
  for (const [manager, { program: command, add }] of Object.entries(managers)) {
    for (const other of others) {
      for (const order of [
        [[core.file], other],
        [other, [core.file]],
      ]) {
        const name = `${manager}-${other[0]}-${order[0] === other ? 'first' : 'then'}`;
        const folder = join(parent, name);
        mkdirSync(folder);
        writeFileSync(
          join(folder, 'package.json'),
          JSON.stringify({ name: 'mine', private: true }),
        );
        writeFileSync(join(folder, 'program.mjs'), program);
        for (const packages of order) await run(command, [...add, ...packages], folder);
        await run('node', ['program.mjs'], folder);
        if (existsSync(join(folder, 'node_modules/@screen-advertising/core/node_modules/zod'))) {
          throw new Error(`${name}: there is a second copy of zod.`);
        }
      }
      yield `${manager} beside ${other.join(' and ')}, in both orders`;
    }
  }
}
