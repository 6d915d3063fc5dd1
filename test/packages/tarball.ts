import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { secretsIn } from '../taint/secrets.ts';
import { programOf, root, run } from './run.ts';

export interface Tarball {
  readonly name: string;
  /** Path of the file that a release would publish. */
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs a package of the workspace. Throws if its content cannot be used elsewhere. */
export async function pack(path: string, destination: string): Promise<Tarball> {
  const folder = join(root, path);
  const { name }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(destination, `${name.replace('@', '').replace('/', '-')}.tgz`);
  await run('pnpm', ['pack', '--out', file], folder);
  await checkManifest(file);
  return { name, file };
}

/** Conditions and versions that make sense only in this workspace must not be published. */
async function checkManifest(file: string): Promise<void> {
  const text = await run('tar', ['-xzOf', file, 'package/package.json'], root);
  const { name, exports, dependencies }: Manifest = JSON.parse(text);
  if (/"source":|\/src\//.test(JSON.stringify(exports ?? {}))) {
    throw new Error(`${name}: its exports lead to sources that are not in the package.`);
  }
  const ours = Object.entries(dependencies ?? {}).filter(([, version]) =>
    version.startsWith('workspace:'),
  );
  if (ours.length > 0) throw new Error(`${name}: a dependency still reads workspace:.`);
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

/** Like a release, up to the upload. */
export async function lintForRegistry({ file }: Tarball): Promise<void> {
  await run('npm', ['publish', '--dry-run', '--access', 'public', file], root);
}

/** Throws if a packed package contains a secret outside of its guides, which show the sandbox's. */
export async function checkForSecrets({ name, file }: Tarball): Promise<void> {
  const found = secretsIn(await run('tar', ['-xzOf', file, '--exclude=*.md'], root));
  if (found.length > 0) throw new Error(`${name} holds ${[...new Set(found)].join(', ')}.`);
}

const most = 1_000_000;

/** Throws if a package takes more than 1 MB of a user's disk. A tarball rounds each file up to 512 bytes. */
export function unpackedSize({ name, file }: Tarball): number {
  const tar = gunzipSync(readFileSync(file));
  let bytes = 0;
  for (let at = 0; tar[at]; ) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    bytes += size;
    at += 512 + Math.ceil(size / 512) * 512;
  }
  if (bytes > most) throw new Error(`${name} is ${bytes} bytes unpacked, more than ${most}.`);
  return bytes;
}
