import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { read, root } from './project.ts';

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
const exported = entries.flatMap((entry) =>
  [...read(entry).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(
    ([, names = '', from = '']) =>
      namesIn(names).map((name) => ({ name, source: posix.join(posix.dirname(entry), from) })),
  ),
);

const kinds = '(?:async function|function|const|class|abstract class|declare enum|interface|type)';
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
});
