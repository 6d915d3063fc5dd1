import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';
import { run } from './run.ts';

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
export function pack(path: string, destination: string): Tarball {
  const folder = join(root, path);
  const { name }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(destination, `${name.replace('@', '').replace('/', '-')}.tgz`);
  run('pnpm', ['pack', '--out', file], folder);
  checkManifest(file);
  return { name, file };
}

/** Conditions and versions that make sense only in this workspace must not be published. */
function checkManifest(file: string): void {
  const text = run('tar', ['-xzOf', file, 'package/package.json'], root);
  const { name, exports, dependencies }: Manifest = JSON.parse(text);
  if (/"source":|\/src\//.test(JSON.stringify(exports ?? {}))) {
    throw new Error(`${name}: its exports lead to sources that are not in the package.`);
  }
  const ours = Object.entries(dependencies ?? {}).filter(([, version]) =>
    version.startsWith('workspace:'),
  );
  if (ours.length > 0) throw new Error(`${name}: a dependency still reads workspace:.`);
}
