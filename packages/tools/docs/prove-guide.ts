import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { additions, apply, copyProject } from '../../../test/docs/extending-guide.ts';

/*
 * Proves docs/extending.md: applies the diffs of each section to a copy of the project, and runs there
 * what a commit has to pass. `pnpm run test:guide field amount` proves two of the five.
 */

const project = copyProject();
const typescript = join(project, 'node_modules/typescript/bin/tsc');
const packages = ['n8n-nodes-screen-advertising', 'zapier-screen-advertising', 'sandbox', 'relay'];
const source = ['--conditions=source', '--no-warnings'];

/** What has to pass, each as a folder, a program and its arguments. */
const checks: ReadonlyArray<readonly [folder: string, ...args: string[]]> = [
  ['packages/tools', ...source, 'docs/write.ts'],
  ['.', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ['.', 'node_modules/knip/bin/knip.js'],
  ['test', ...source, 'structure/prose/run.ts'],
  ...['shared', ...[...packages, 'cli', 'mcp', 'server-kit'].map((name) => `packages/${name}`)].map(
    (folder) => [folder, typescript] as const,
  ),
  ['test', typescript],
  ['test', 'node_modules/jest/bin/jest.js'],
];

const run = promisify(execFile);

type Failed = Readonly<Record<'stdout' | 'stderr', string>>;

/** The output of the checks that failed. */
async function failures(): Promise<string[]> {
  const failed: string[] = [];
  for (const [folder, ...args] of checks) {
    const cwd = join(project, folder);
    // Where this run keeps its own, paths would be too long for the socket of a PostgreSQL.
    const env = { ...process.env, TMPDIR: '', NODE_PATH: join(project, 'test/node_modules') };
    await run(process.execPath, args, { cwd, env, maxBuffer: 1e9 }).catch((error: Failed) => {
      failed.push(`${folder}: ${args.join(' ')}\n${error.stdout}${error.stderr}`);
    });
  }
  return failed;
}

const wanted = process.argv.slice(2);
for (const [name, pieces] of Object.entries(additions)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const undo = apply(project, pieces);
  const start = Date.now();
  const failed = await failures();
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  const files = pieces.map(({ path }) => path).join(', ');
  const verdict = failed.length === 0 ? 'passes' : 'FAILS';
  process.stdout.write(`${name}: ${verdict} in ${minutes} min (${files})\n${failed.join('\n')}`);
  if (failed.length > 0) process.exitCode = 1;
  undo();
}
rmSync(project, { recursive: true });
