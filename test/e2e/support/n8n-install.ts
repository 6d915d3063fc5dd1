import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from './command.ts';
import { root, userCache } from './paths.ts';
import { say } from './progress.ts';

export interface N8nInstall {
  /** The Node that it runs on. */
  readonly node: string;
  /** Its command line. */
  readonly entry: string;
}

const source = path.join(root, 'test/e2e/n8n-server');
const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];

/**
 * The pinned n8n in a folder of its own, installed unless it is there: about 2 GB, which all clones
 * of this repository share.
 */
export async function installN8n(): Promise<N8nInstall> {
  const folder = path.join(userCache, `n8n-${await fingerprint()}`);
  if (!existsSync(folder)) await install(folder);
  const modules = path.join(folder, 'node_modules');
  return {
    node: path.join(modules, 'node/bin/node'),
    entry: path.join(modules, 'n8n/bin/n8n'),
  };
}

/** The folder appears once all of it is there, however this ends and whoever else installs. */
async function install(folder: string): Promise<void> {
  say(`Installing n8n into ${folder}, which takes a minute or two`);
  await mkdir(userCache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const file of files) await cp(path.join(source, file), path.join(unfinished, file));
    await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
      cwd: unfinished,
      env: { ...withoutWorkspace(), CI: 'true' },
      withinMs: 900_000,
    });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  say('n8n is installed');
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex').slice(0, 12);
}

/** What the outer pnpm tells its scripts would otherwise steer the inner one. */
export function withoutWorkspace(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name)),
  );
}
