import { execFile } from 'node:child_process';
import { chownSync, existsSync, globSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));

export const root = path.resolve(here, '../../..');
/** What these tests install or build; git ignores it. */
export const cache = path.join(root, '.cache');
/** The same for what several clones can share. */
export const userCache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'screen-advertising-connectors',
);
export const nodePackage = path.join(root, 'packages/n8n-nodes-screen-advertising');
export const images = path.join(root, 'docs/images');

const startedAt = performance.now();

/** Reports progress to a waiting person, with the seconds since the start. */
export function say(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  writeSync(1, `${seconds} s  ${text}\n`);
}

/** Where the program of each package may be, the best first. */
const programs = {
  buildah: () => ['/usr/bin/buildah'],
  chromium: () => ['/usr/bin/chromium'],
  debootstrap: () => ['/usr/sbin/debootstrap'],
  'nginx-light': () => ['/usr/sbin/nginx'],
  pgbouncer: () => ['/usr/sbin/pgbouncer'],
  postgresql: () => globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse(),
  prometheus: () => ['/usr/bin/prometheus'],
  'redis-server': () => ['/usr/bin/redis-server'],
};

/** Installs a Debian package unless its program is there; gives the path of the program. */
export async function fromDebian(packageName: keyof typeof programs): Promise<string> {
  const find = programs[packageName];
  const found = find().find(existsSync);
  if (found !== undefined) return found;
  say(`Installing the Debian package ${packageName}`);
  const isRoot = process.getuid?.() === 0;
  const apt = (...args: string[]) =>
    promisify(execFile)(
      isRoot ? 'apt-get' : 'sudo',
      [...(isRoot ? [] : ['-n', 'apt-get']), ...args],
      {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    );
  try {
    await apt('update', '-q');
    await apt('install', '-q', '-y', '--no-install-recommends', packageName);
  } catch (error) {
    throw new Error(
      `${packageName} is missing and could not be installed. Install it, as with "sudo apt-get install ${packageName}", and run this again.\n${(error as Error).message}`,
    );
  }
  const installed = find().find(existsSync);
  if (installed !== undefined) return installed;
  throw new Error(`${packageName} is installed, but brought no program that is known here.`);
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account `nobody` of Debian. */
const nobody: Account = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root, so under root an unprivileged account gets the folder. */
export function ordinaryAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  chownSync(folder, nobody.uid, nobody.gid);
  return nobody;
}
