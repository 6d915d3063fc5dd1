import { secretsIn } from '../taint/secrets.ts';
import type { Tarball } from './pack.ts';
import { root } from './paths.ts';
import { run } from './run.ts';

/** Throws if a packed package contains a secret outside of its guides, which show the sandbox's. */
export function checkForSecrets({ name, file }: Tarball): void {
  const found = secretsIn(run('tar', ['-xzOf', file, '--exclude=*.md'], root));
  if (found.length > 0) throw new Error(`${name} holds ${[...new Set(found)].join(', ')}.`);
}
