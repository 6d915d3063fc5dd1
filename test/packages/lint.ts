import type { Tarball } from './pack.ts';
import { programOf, root } from './paths.ts';
import { run } from './run.ts';

/**
 * The core is also CommonJS; the other packages are ES modules only. The declarations of the sandbox
 * say CommonJS to `require`, which loads the ES module: the rule knows only Node.js that cannot.
 */
export function lintForPrograms({ name, file }: Tarball): void {
  run(programOf('publint'), ['run', '--strict', file], root);
  const profile = name.endsWith('/core') ? 'node16' : 'esm-only';
  const ignored = name.endsWith('/sandbox') ? ['--ignore-rules', 'false-cjs'] : [];
  run(programOf('attw'), [file, '--profile', profile, ...ignored], root);
}

/** Like a release, up to the upload. */
export function lintForRegistry({ file }: Tarball): void {
  run('npm', ['publish', '--dry-run', '--access', 'public', file], root);
}
