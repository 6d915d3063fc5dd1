import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { projectFiles, root } from '../../structure/project.ts';

/**
 * Copies the project to a separate folder, where its packages import each other. Returns the
 * folder.
 */
export function copyProject(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  const files = projectFiles();
  for (const path of files) cpSync(join(root, path), join(copy, path));
  // Tests ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  for (const path of files.filter((file) => file.endsWith('package.json'))) {
    link(join(dirname(path), 'node_modules'), copy);
  }
  return copy;
}

/** Links every installed package separately, and the project's packages to their copies. */
function link(folder: string, copy: string): void {
  const from = join(root, folder);
  for (const name of installed(from)) {
    const real = realpathSync(join(from, name));
    const inProject = relative(root, real);
    const isOwn = !inProject.startsWith('..') && !inProject.split(sep).includes('node_modules');
    const to = join(copy, folder, name);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(isOwn ? join(copy, inProject) : real, to);
  }
}

function installed(folder: string): string[] {
  return names(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? names(join(folder, name)).map((inScope) => join(name, inScope))
        : [name],
    );
}

/** Returns an empty list for a missing folder: not every package has dependencies. */
function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
