import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../run.ts';
import type { Tarball } from '../../tarball.ts';
import { check } from './consumer.ts';

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

const wrong =
  'undiciTransport found no undici that works. Install undici 7 (Node.js 20.18 or newer) or 8 (Node.js 22.19 or newer).';
const right =
  '127.0.0.1:1 refused the connection (ECONNREFUSED). Check the base URL and that the service is running.';

/** A project's own version of what the core can use, and what a request then ends with. The core takes its zod. */
const others = [
  [wrong, 'undici@5.29.0', 'zod@4.6.0'],
  [wrong, 'undici@6.29.1'],
  [right, 'undici@7.30.2'],
  [right, 'undici@8.12.4'],
] as const;

const program = `
import { createRequire } from 'node:module';
import { operations } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
if (!operations['screen.list']) throw new Error('The catalogue is empty.');
const { operations: required } = createRequire(import.meta.url)('@screen-advertising/core');
if (!required['screen.list']) throw new Error('The catalogue is empty.');
const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: {}, timeoutMs: 10_000 };
await undiciTransport().send(request).catch(({ message }) => console.log(message));
`;

/**
 * Installs the packed core before and after other packages of a project, with each manager. Yields
 * what works; throws with the manager's output otherwise.
 */
export async function* tryInstalls(parent: string, core: Tarball): AsyncGenerator<string> {
  for (const [manager, { program: command, add }] of Object.entries(managers)) {
    for (const [outcome, ...other] of others) {
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
        check(name, await run('node', ['program.mjs'], folder), outcome);
        if (existsSync(join(folder, 'node_modules/@screen-advertising/core/node_modules/zod'))) {
          throw new Error(`${name}: there is a second copy of zod.`);
        }
      }
      yield `${manager} beside ${other.join(' and ')}, in both orders`;
    }
  }
}
