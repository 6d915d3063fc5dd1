import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretsIn } from '../taint/watch.ts';
import { programOf, root, run } from './run.ts';

export interface Tarball {
  readonly name: string;
  /** Path of the file that a release would publish. */
  readonly file: string;
}

/** Packs a package of the workspace. */
export async function pack(path: string, destination: string): Promise<Tarball> {
  const folder = join(root, path);
  const { name }: { readonly name: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = join(destination, `${name.replace('@', '').replace('/', '-')}.tgz`);
  await run('pnpm', ['pack', '--out', file], folder);
  return { name, file };
}

/** The entry of the core that only the relay reads, which is an ES module. */
const forTheRelay = 'relay-contract';

/**
 * The core is also CommonJS; the other packages are ES modules only. The declarations of the sandbox
 * say CommonJS to `require`, which loads the ES module: the rule knows only Node.js that cannot.
 */
export async function lintForPrograms({ name, file }: Tarball): Promise<void> {
  await run(programOf('publint'), ['run', '--strict', file], root);
  const attw = (...options: string[]) => run(programOf('attw'), [file, ...options], root);
  if (name.endsWith('/core')) {
    await attw('--profile', 'strict', '--exclude-entrypoints', forTheRelay);
    await attw('--profile', 'esm-only', '--entrypoints', forTheRelay);
    return;
  }
  const ignored = name.endsWith('/sandbox') ? ['--ignore-rules', 'false-cjs'] : [];
  await attw('--profile', 'esm-only', ...ignored);
}

/** Like a release, up to the upload; the bytes that it takes of a user's disk. */
export async function lintForRegistry({ file }: Tarball): Promise<number> {
  const said = await run(
    'npm',
    ['publish', '--dry-run', '--json', '--access', 'public', file],
    root,
  );
  return Number(/"unpackedSize": (\d+)/.exec(said)?.[1]);
}

/** Throws if a packed package contains a secret outside of its guides, which show the sandbox's. */
export async function checkForSecrets({ name, file }: Tarball): Promise<void> {
  const found = secretsIn(await run('tar', ['-xzOf', file, '--exclude=*.md'], root));
  if (found.length > 0) throw new Error(`${name} holds ${[...new Set(found)].join(', ')}.`);
}
