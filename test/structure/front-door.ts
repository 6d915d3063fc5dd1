import { posix } from 'node:path';
import { projectFiles, read } from './project.ts';

export interface Exported {
  readonly name: string;
  /** The file that declares it. */
  readonly source: string;
}

const source = 'shared/src/';

/** Every entry of the core's package, by its subpath. */
export function entries(): Record<string, string> {
  const { exports }: { exports: Record<string, { source: string }> } = JSON.parse(
    read('shared/package.json'),
  );
  return Object.fromEntries(
    Object.entries(exports).map(([path, { source }]) => [
      path.slice(1),
      posix.join('shared', source),
    ]),
  );
}

/** The names that an entry re-exports. */
export function exportedBy(entry: string): Exported[] {
  const lists = read(entry).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm);
  return [...lists].flatMap(([, names = '', from = '']) =>
    namesIn(names).map((name) => ({ name, source: posix.join(posix.dirname(entry), from) })),
  );
}

/** Whether a declaration has a docstring. */
export function isDocumented(text: string, name: string): boolean {
  const kinds = '(?:async function|function|const|class|abstract class|interface|type)';
  return new RegExp(`\\*/\\nexport ${kinds} ${name}\\b`).test(text);
}

/** Names that a file imports from any entry, and those that a guide shows. */
export function namesUsed(): Set<string> {
  const files = projectFiles().filter(
    (path) =>
      /\.m?ts$/.test(path) && !path.startsWith(source) && !path.startsWith('test/structure/'),
  );
  const imports = files.flatMap((path) => [
    ...read(path).matchAll(/\{([^{}]*)\} from '@screen-advertising\/core[^']*'/g),
  ]);
  const shown = read('shared/README.md').match(/\b[A-Za-z]+\b/g) ?? [];
  return new Set([...imports.flatMap(([, names = '']) => namesIn(names)), ...shown]);
}

function namesIn(list: string): string[] {
  const names = list.split(',').map((name) => name.trim().replace(/^type /, ''));
  return names.map((name) => name.replace(/ as .*$/, '')).filter((name) => name !== '');
}
