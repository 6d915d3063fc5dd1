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

/** Whether it is a type that an interface of the catalogue or another export is declared with. */
export function isNeeded({ name, source }: Exported, all: readonly Exported[]): boolean {
  if (!new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(read(source))) return false;
  const written = projectFiles().filter((path) => path.startsWith('shared/src/types/'));
  const others = all.filter((other) => other.name !== name);
  const declared = others.map((other) => declaration(read(other.source), other.name));
  return [...written.map(read), ...declared].some((text) => new RegExp(`\\b${name}\\b`).test(text));
}

/** From the name up to the next declaration. */
function declaration(text: string, name: string): string {
  const kinds = '(?:async function|function|const|class|abstract class|interface|type)';
  const [, rest = ''] = text.split(new RegExp(`^export ${kinds} ${name}\\b`, 'm'));
  return rest.split(/^(?:\/\*\*|export )/m)[0] ?? '';
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
