import { existsSync } from 'node:fs';
import { run } from './command.ts';
import { say } from './progress.ts';

/**
 * Installs a Debian package unless a program of it is there; gives the path of the program.
 * `programs` says where it may be.
 */
export async function fromDebian(
  packageName: string,
  programs: () => readonly string[],
): Promise<string> {
  const found = programs().find(existsSync);
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
  const installed = programs().find(existsSync);
  if (installed !== undefined) return installed;
  throw new Error(`${packageName} is installed, but brought no program that is known here.`);
}
