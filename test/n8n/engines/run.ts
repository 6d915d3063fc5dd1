/**
 * Runs the tests of the n8n package on the engine of the oldest n8n that it supports, which it
 * installs if it is missing. Takes Jest's own options, if any. Nightly, or when the engine is named,
 * the slow tests run, too.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root, say } from '../../e2e/support/machine.ts';
import { installOnDemand } from '../../e2e/support/n8n-server.ts';

const source = path.join(root, 'test/n8n/engines');
const isNightly = process.env.TEST_TIER === 'nightly';
const engines = readdirSync(source).filter((name) => /^\d/.test(name));
const given = process.argv.slice(2);
const named = given.filter((word) => engines.includes(word));
const options = given.filter((word) => !engines.includes(word));

const folder = await installOnDemand({
  name: 'n8n-engines',
  source,
  files: [
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    ...engines.map((engine) => `${engine}/package.json`),
  ],
});
// Earlier engines hold a timer that would keep Jest from ending.
const args = ['--forceExit', ...options, ...(options.some(isPath) ? [] : ['/test/n8n/'])];
for (const engine of named.length > 0 ? named : engines) {
  say(`The tests of the node on the engine of n8n ${engine}`);
  const { status } = spawnSync(path.join(root, 'test/node_modules/.bin/jest'), args, {
    cwd: path.join(root, 'test'),
    stdio: 'inherit',
    env: { ...process.env, ...tierOf(engine), N8N_ENGINE: path.join(folder, engine) },
  });
  if (status !== 0) process.exitCode = 1;
}

function tierOf(engine: string) {
  const isFull = named.includes(engine) || isNightly;
  return { TEST_TIER: isFull ? 'full' : 'everyday' };
}

function isPath(word: string): boolean {
  return word.includes('/');
}
