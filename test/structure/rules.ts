import type { ImportGraph } from './import-graph.ts';
import { globalsUnknownToCore, type Layer, mayNameGlobals } from './layers.ts';

/** The layer of a file: the one that names it most exactly. */
export function layerOf(path: string, layers: readonly Layer[]): Layer | undefined {
  return layers
    .filter(({ files }) => covers(files, path))
    .sort((one, other) => other.files.length - one.files.length)[0];
}

export interface ForbiddenImport {
  /** Name of the layer whose row does not allow it. */
  readonly layer: string;
  /** `from → to`. */
  readonly arrow: string;
}

/** Arrows out of a layer that its row does not allow. Files outside of all layers are free. */
export function forbiddenImports(
  { arrows }: ImportGraph,
  layers: readonly Layer[],
): ForbiddenImport[] {
  return arrows.flatMap(({ from, to }) => {
    const layer = layerOf(from, layers);
    if (!layer || layerOf(to, layers) === layer) return [];
    const isAllowed = layer.mayImport.some((target) => covers(target, to));
    return isAllowed ? [] : [{ layer: layer.name, arrow: `${from} → ${to}` }];
  });
}

/** `zod` covers `zod/mini`, and `node:` every module of Node. */
function covers(target: string, path: string): boolean {
  return (
    path === target ||
    path.startsWith(target.endsWith('/') || target.endsWith(':') ? target : `${target}/`)
  );
}

/** Globals that a file of the core names, as `file: name`. */
export function namedGlobals({ files }: ImportGraph): string[] {
  return [...files].flatMap(([path, { identifiers }]) =>
    path.startsWith('shared/src/') && !mayNameGlobals.some((free) => path.startsWith(free))
      ? globalsUnknownToCore
          .filter((name) => identifiers.has(name))
          .map((name) => `${path}: ${name}`)
      : [],
  );
}

/** Rings of files that import each other, types included, as `a → b → a`. */
export function importCircles({ files, arrows }: ImportGraph): string[] {
  const targets = new Map([...files.keys()].map((path): [string, string[]] => [path, []]));
  for (const { from, to } of arrows) if (files.has(to)) targets.get(from)?.push(to);

  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of new Set(targets.get(path))) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return circles;
}
