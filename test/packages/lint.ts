import type { Tarball } from './pack.ts';
import { programOf, root } from './paths.ts';
import { run } from './run.ts';

/**
 * The packages are ES modules only. `require` works where Node supports it, but is not promised.
 */
export function lintForPrograms({ file }: Tarball): void {
  run(programOf('publint'), ['run', '--strict', file], root);
  run(programOf('attw'), ['--profile', 'esm-only', file], root);
}

/** Like a release, up to the upload. */
export function lintForRegistry({ file }: Tarball): void {
  run('npm', ['publish', '--dry-run', '--access', 'public', file], root);
}
