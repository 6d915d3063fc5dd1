import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

export interface Arrow {
  readonly from: string;
  /** A file of the project, or the name of a package. */
  readonly to: string;
}

export interface ImportGraph {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly arrows: readonly Arrow[];
}

/**
 * Who imports what, types included. An import from a workspace package leads to the very file
 * that defines the name, so a rule can tell parts of a package apart.
 *
 * `files` go by path from the root; `entries` name the file behind each specifier of a workspace
 * package.
 */
export function importGraph(
  files: ReadonlyMap<string, SourceFile>,
  entries: ReadonlyMap<string, string>,
): ImportGraph {
  const resolve = (from: string, specifier: string): string => {
    if (!specifier.startsWith('.')) return entries.get(specifier) ?? specifier;
    const path = posix.join(posix.dirname(from), specifier);
    const candidates = [path, `${path}.ts`, `${path}/index.ts`, path.replace(/\.js$/, '.ts')];
    return candidates.find((candidate) => files.has(candidate)) ?? path;
  };

  const definitions = (path: string, name: string): string[] => {
    const passedOn = files.get(path)?.passedOn ?? new Map<string, string>();
    if (name === '*') return [path, ...[...passedOn.values()].map((next) => resolve(path, next))];
    const next = passedOn.get(name);
    return next === undefined ? [path] : definitions(resolve(path, next), name);
  };

  const arrows = [...files].flatMap(([from, { imports }]) =>
    imports.flatMap(({ specifier, names }) => {
      const to = resolve(from, specifier);
      const targets = entries.has(specifier)
        ? names.flatMap((name) => definitions(to, name))
        : [to];
      return [...new Set(targets)].map((target) => ({ from, to: target }));
    }),
  );
  return { files, arrows };
}
