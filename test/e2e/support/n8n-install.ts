import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';
import { cache, root } from './paths.ts';
import { say } from './progress.ts';

export interface N8nInstall {
  /** The Node that it runs on. */
  readonly node: string;
  /** Its command line. */
  readonly entry: string;
}

const source = path.join(root, 'test/e2e/n8n-server');
const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];

/** The pinned n8n in a folder of its own, installed unless it is there: about 2 GB. */
export async function installN8n(): Promise<N8nInstall> {
  const folder = path.join(cache, 'n8n-server');
  const mark = path.join(folder, 'installed');
  const wanted = await fingerprint();
  if (!existsSync(mark) || (await readFile(mark, 'utf8')) !== wanted) {
    say('Installing n8n, which takes a minute or two');
    await mkdir(folder, { recursive: true });
    await rm(mark, { force: true });
    for (const file of files) await cp(path.join(source, file), path.join(folder, file));
    await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
      cwd: folder,
      env: withoutWorkspace(),
      withinMs: 900_000,
    });
    await writeFile(mark, wanted);
  }
  const modules = path.join(folder, 'node_modules');
  return {
    node: path.join(modules, 'node/bin/node'),
    entry: path.join(modules, 'n8n/bin/n8n'),
  };
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex');
}

/** What the outer pnpm tells its scripts would otherwise steer the inner one. */
export function withoutWorkspace(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name)),
  );
}
