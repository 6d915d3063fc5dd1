import { existsSync } from 'node:fs';
import { run } from './command.ts';
import { say } from './progress.ts';

/** Installs Debian packages unless what they bring is there; gives the path of the program. */
export async function fromDebian(packageName: string, programs: readonly string[]): Promise<string> {
  const found = programs.find(existsSync);
  if (found !== undefined) return found;
  say(`Installing the Debian package ${packageName}`);
  const isRoot = process.getuid?.() === 0;
  const apt = async (...args: string[]) =>
    run(isRoot ? 'apt-get' : 'sudo', [...(isRoot ? [] : ['-n', 'apt-get']), ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  try {
    await apt('update', '-q');
    // Without its recommendations PostgreSQL's package starts no server of its own to clean up after.
    await apt('install', '-q', '-y', '--no-install-recommends', packageName);
  } catch (error) {
    throw new Error(
      `${packageName} is missing and could not be installed. Install it, as with "sudo apt-get install ${packageName}", and run this again.\n${(error as Error).message}`,
    );
  }
  const installed = programs.find(existsSync);
  if (installed !== undefined) return installed;
  throw new Error(`${packageName} is installed, but brought none of ${programs.join(', ')}.`);
}
