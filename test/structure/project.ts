import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Paths, relative to the root, of all files of the project except those that git ignores. */
export function projectFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return listed.filter((path) => path !== '' && existsSync(join(root, path)));
}
