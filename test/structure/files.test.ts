import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from './project.ts';

const maxLines = 500;
const files = projectFiles();

const code = files.filter(
  (path) => /^(shared\/src|packages)\//.test(path) && /\.(m?[jt]s|css|html)$/.test(path),
);

/** Texts that no file may contain, and that Biome does not refuse. None matches its own source. */
const marks: readonly (readonly [name: string, pattern: RegExp, inFiles: RegExp])[] = [
  ['work left for later', /\b(?:TO[D]O|FIX[M]E|HA[C]K)\b/, /^(?!.*\.(?:png|ico|woff2?|zip|gz)$)/],
  ['a test left out', /[.]todo\b\s*[(.`]/, /^test\/.*\.ts$/],
  // What the field reports may be there before it is fixed.
  ['a test that has to fail', /[.]failing\b\s*[(.`]/, /^test\/(?!field\/).*\.ts$/],
  // The compiler refuses an expectation that is not met, so a type test may state one and why.
  [
    'a type error kept quiet',
    /@ts-(?:ignore|nocheck|expect-error(?! [A-Z].*\.$))\b/m,
    /\.[cm]?[jt]sx?$/,
  ],
  ['an ESLint rule switched off', /\beslint-disabl[e]\b/, /\.[cm]?[jt]sx?$/],
  // What is gone from a list of the product would be gone from the test, too.
  [
    'rows or expected values that the product lists',
    /\b(?:each|to[A-Z]\w+)\((?:\[\.\.\.|new Set\()?Object\.(?:keys|values|entries)\((?:operations|events|relayContract|rights|environment)\b/,
    /\.test\.ts$/,
  ],
  // Who reads the test would not see them.
  [
    'a hook that a helper registers on import, or in a constructor',
    /^(?:before|after)(?:Each|All)\(|\bconstructor\([^)]*\) \{[^}]*\b(?:before|after)(?:Each|All)\(/m,
    /^test\/(?!jest\.|taint\/install).*(?<!\.(?:test|e2e)|pictures)\.ts$/,
  ],
];

describe('no file of the project holds', () => {
  it.each(marks)('%s', (_name, pattern, inFiles) => {
    const meant = files.filter((path) => inFiles.test(path) && path !== 'pnpm-lock.yaml');
    expect(meant.length).toBeGreaterThan(150);
    expect(meant.filter((path) => pattern.test(read(path)))).toEqual([]);
  });
});

describe('the files of the product', () => {
  it(`have at most ${maxLines} lines`, () => {
    expect(code.length).toBeGreaterThan(200);
    const lines = (path: string): number => read(path).trimEnd().split('\n').length;
    expect(code.filter((path) => lines(path) > maxLines)).toEqual([]);
  });

  /** Folders name their `index`, and the interfaces are written from sources of the same name. */
  it('have unique names in their package, whatever their case', () => {
    const named = code.filter((path) => !/^shared\/src\/types\/|\/index\.\w+$/.test(path));
    const byName = Map.groupBy(named, (path) => {
      const [folder, name] = path.split('/');
      return `${folder}/${folder === 'shared' ? '' : name} ${posix.basename(path).toLowerCase()}`;
    });
    expect([...byName.values()].filter(({ length }) => length > 1)).toEqual([]);
  });
});
