import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../run.ts';
import { shareOf } from '../../share.ts';
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

/** Each manager beside each version, the core installed after it or before. */
const rows = Object.entries(managers).flatMap(([manager, { program: command, add }]) =>
  others.flatMap((other) =>
    [true, false].map((isCoreFirst) => ({ manager, command, add, other, isCoreFirst })),
  ),
);

/**
 * Installs the packed core beside other packages of a project. Yields what works; throws with the
 * manager's output otherwise.
 */
export async function* tryInstalls(parent: string, core: Tarball): AsyncGenerator<string> {
  for (const { manager, command, add, other, isCoreFirst } of shareOf(rows)) {
    const [outcome, ...packages] = other;
    const name = `${manager}-${packages[0]}-${isCoreFirst ? 'then' : 'first'}`;
    const folder = join(parent, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'mine', private: true }));
    writeFileSync(join(folder, 'program.mjs'), program);
    const order = [[core.file], packages];
    for (const added of isCoreFirst ? order : order.reverse()) {
      await run(command, [...add, ...added], folder);
    }
    check(name, await run('node', ['program.mjs'], folder), outcome);
    if (existsSync(join(folder, 'node_modules/@screen-advertising/core/node_modules/zod'))) {
      throw new Error(`${name}: there is a second copy of zod.`);
    }
    yield `${manager} beside ${packages.join(' and ')}, ${isCoreFirst ? 'before' : 'after'} it`;
  }
}
