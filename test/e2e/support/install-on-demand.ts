import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { userCache } from './paths.ts';
import { run } from './program.ts';
import { say } from './progress.ts';

export interface OnDemand {
  /** As people call it: part of the folder's name, and of what is said meanwhile. */
  readonly name: string;
  /** A separate workspace with a lock file. */
  readonly source: string;
  /** All that the install needs of it. */
  readonly files: readonly string[];
}

/**
 * Installs packages that are too many for the everyday install, unless they are there. All clones
 * of this repository share them. Gives the folder.
 */
export async function installOnDemand({ name, source, files }: OnDemand): Promise<string> {
  const folder = path.join(userCache, `${name}-${await fingerprint(source, files)}`);
  if (existsSync(folder)) return folder;
  say(`Installing ${name} into ${folder}, which takes up to five minutes`);
  await mkdir(userCache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const file of files) await cp(path.join(source, file), path.join(unfinished, file));
    await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
      cwd: unfinished,
      env: { ...withoutWorkspace(), CI: 'true' },
      withinMs: 900_000,
      meanwhile: (printed) => say(progressIn(printed)),
    });
    // Renaming makes the folder appear only when complete, even if interrupted or run in parallel.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    throw new Error(
      `${name} could not be installed. Check your network and disk space, and that npm reaches its registry (npm ping); then run this again.\n${(error as Error).message}`,
    );
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  say(`${name} is installed`);
  return folder;
}

/** For example `resolved 2100, reused 0, downloaded 1200, added 800`. */
function progressIn(printed: string): string {
  return (
    printed
      .match(/(?<=Progress: ).+/g)
      ?.at(-1)
      ?.replace(/, done$/, '') ?? 'Still installing'
  );
}

async function fingerprint(source: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex').slice(0, 12);
}

/** The environment without the outer pnpm's variables, which would steer the inner one. */
export function withoutWorkspace(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name)),
  );
}
