import { existsSync, globSync } from 'node:fs';
import { run } from './program.ts';
import { say } from './progress.ts';

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
  const apt = async (...args: string[]) =>
    run(isRoot ? 'apt-get' : 'sudo', [...(isRoot ? [] : ['-n', 'apt-get']), ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
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
