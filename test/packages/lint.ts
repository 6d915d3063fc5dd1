import type { Tarball } from './pack.ts';
import { programOf, root } from './paths.ts';
import { run } from './run.ts';

/** The core is also CommonJS; the other packages are ES modules only. */
export function lintForPrograms({ name, file }: Tarball): void {
  run(programOf('publint'), ['run', '--strict', file], root);
  const profile = name.endsWith('/core') ? 'node16' : 'esm-only';
  run(programOf('attw'), ['--profile', profile, file], root);
}

/** Like a release, up to the upload. */
export function lintForRegistry({ file }: Tarball): void {
  run('npm', ['publish', '--dry-run', '--access', 'public', file], root);
}
