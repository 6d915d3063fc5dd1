import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from './project.ts';

const mostLines = 250;

/** Packages in which every file name is unique, so that a name alone identifies a file. */
const packages = [
  'shared/src',
  'packages/cli',
  'packages/mcp',
  'packages/n8n-nodes-screen-advertising',
  'packages/relay',
  'packages/sandbox',
  'packages/zapier-screen-advertising',
];

const code = projectFiles().filter(
  (path) => /^(shared\/src|packages)\//.test(path) && /\.(m?[jt]s|css|html)$/.test(path),
);

/**
 * Groups of paths with the same file name. `index` is exempt: its folder names it. So are the
 * interfaces that are written from the catalogue, each with the name of its source.
 */
function namesakes(paths: readonly string[]): string[][] {
  const byName = Map.groupBy(
    paths.filter((path) => !path.startsWith('shared/src/types/')),
    (path) => posix.basename(path).toLowerCase(),
  );
  return [...byName].flatMap(([name, same]) =>
    same.length > 1 && !/^index\.\w+$/.test(name) ? [same] : [],
  );
}

describe('the files of the product', () => {
  it(`have at most ${mostLines} lines`, () => {
    expect(code.length).toBeGreaterThan(200);
    const lines = (path: string): number => read(path).trimEnd().split('\n').length;
    expect(code.filter((path) => lines(path) > mostLines)).toEqual([]);
  });

  it.each(packages)('%s: have unique names', (folder) => {
    const files = code.filter((path) => path.startsWith(`${folder}/`));
    expect(files.length).toBeGreaterThan(4);
    expect(namesakes(files)).toEqual([]);
  });
});

describe('two files with one name', () => {
  it('are found, whatever their case', () => {
    const paths = ['a/Coupon.ts', 'b/coupon.ts', 'b/screen.ts', 'a/index.ts', 'b/index.ts'];
    expect(namesakes(paths)).toEqual([['a/Coupon.ts', 'b/coupon.ts']]);
  });
});
