/**
 * Runs the tests of the n8n package on the engines of earlier versions of n8n, which it installs if
 * they are missing: 390 MB for all. Takes the engines to run on and Jest's own options, if any.
 * For every change, the oldest and the newest run the everyday tests; nightly all engines do. The
 * oldest nightly, and those that are named, run the slow tests, too.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { installOnDemand } from '../../e2e/support/install-on-demand.ts';
import { root } from '../../e2e/support/paths.ts';
import { say } from '../../e2e/support/progress.ts';

const source = path.join(root, 'test/n8n/engines');
const isNightly = process.env.TEST_TIER === 'nightly';
const byAge = new Intl.Collator('en', { numeric: true }).compare;
const engines = readdirSync(source)
  .filter((name) => /^\d/.test(name))
  .sort(byAge);
const ends = [...new Set([engines.at(0), engines.at(-1)])].filter((name) => name !== undefined);
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
for (const engine of named.length > 0 ? named : isNightly ? engines : ends) {
  say(`The tests of the node on the engine of n8n ${engine}`);
  const { status } = spawnSync(path.join(root, 'test/node_modules/.bin/jest'), args, {
    cwd: path.join(root, 'test'),
    stdio: 'inherit',
    env: { ...process.env, ...tierOf(engine), N8N_ENGINE: path.join(folder, engine) },
  });
  if (status !== 0) process.exitCode = 1;
}

function tierOf(engine: string) {
  const isFull = named.includes(engine) || (isNightly && engine === engines[0]);
  return { TEST_TIER: isFull ? 'full' : 'everyday' };
}

function isPath(word: string): boolean {
  return word.includes('/');
}
