import { secretsIn } from '../taint/secrets.ts';
import type { Tarball } from './pack.ts';
import { root } from './paths.ts';
import { run } from './run.ts';

/** Throws when a packed package holds a secret anywhere but in its guides, which show the sandbox's. */
export function checkForSecrets({ name, file }: Tarball): void {
  const found = secretsIn(run('tar', ['-xzOf', file, '--exclude=*.md'], root));
  if (found.length > 0) throw new Error(`${name} holds ${[...new Set(found)].join(', ')}.`);
}
