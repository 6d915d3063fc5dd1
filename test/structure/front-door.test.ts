import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read, root } from './project.ts';

const { exports } = JSON.parse(read('shared/package.json')) as {
  exports: Readonly<Record<string, { readonly source: string }>>;
};
const entries = Object.values(exports).flatMap(({ source }) =>
  globSync(posix.join('shared', source), { cwd: root }),
);

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().replace(/^type | as .*$/g, ''))
    .filter((name) => name !== '');

/** Every name that an entry re-exports, and the file that declares it. */
const exportedBy = (entry: string) =>
  [...read(entry).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(
    ([, names = '', from = '']) =>
      namesIn(names).map((name) => ({ name, source: posix.join(posix.dirname(entry), from) })),
  );
const exported = entries.flatMap(exportedBy);

const kinds = '(?:async function|function|const|class|abstract class|interface|type)';
const declares = (source: string, name: string, before = '', these = kinds): boolean =>
  new RegExp(`${before}^export ${these} ${name}\\b`, 'm').test(read(source));

describe('the entries of the core', () => {
  it('have a docstring for each name', () => {
    expect(exported.length).toBeGreaterThan(80);
    const bare = exported.filter(({ name, source }) => !declares(source, name, '\\*/\\n'));
    expect(bare).toEqual([]);
    for (const entry of entries) {
      expect(read(entry).match(/(?<!\*\/\n)^export (?!(?:type )?[{*])/gm)).toBeNull();
    }
  });

  // The generated interfaces have a docstring for each member, since nothing is generated without.
  it('have a docstring for each member of the interfaces of the client and of the relay', () => {
    const members = ['shared/src/index.ts', 'shared/src/subpaths/relay.ts']
      .flatMap(exportedBy)
      .flatMap(({ name }) => blocksOf(name))
      .flatMap((block) => [...block.matchAll(/(?<=^(.*)\n) {2}(?:readonly )?\w+\??[:(<].*/gm)]);
    expect(members.length).toBeGreaterThan(80);
    expect(members.filter(([, before = '']) => !before.endsWith('*/'))).toEqual([]);
  });
});

const sources = projectFiles()
  .filter((path) => /^shared\/src\/.*\.ts$/.test(path))
  .map(read)
  .join('\n');

/** The members of an interface, and of those that it extends. */
function blocksOf(name: string): string[] {
  const block = new RegExp(`^export interface ${name}\\b([^{]*)\\{\\n([\\s\\S]*?)^\\}`, 'm');
  const [, parents = '', inside] = block.exec(sources) ?? [];
  if (inside === undefined) return [];
  return [inside, ...(parents.match(/\w+/g) ?? []).flatMap(blocksOf)];
}
