import type { Tarball } from './pack.ts';
import { programOf, root } from './paths.ts';
import { run } from './run.ts';

/** The packages are modules only: `require` of them works where Node offers it, and is not promised. */
export function lintForPrograms({ file }: Tarball): void {
  run(programOf('publint'), ['run', '--strict', file], root);
  run(programOf('attw'), ['--profile', 'esm-only', file], root);
}

/** As a release does it, up to the upload. */
export function lintForRegistry({ file }: Tarball): void {
  run('npm', ['publish', '--dry-run', '--access', 'public', file], root);
}
