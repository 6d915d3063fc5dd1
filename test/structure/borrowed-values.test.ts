import { describe, expect, it } from '@jest/globals';
import { borrowedValues } from './borrowed-values.ts';
import { projectFiles, read } from './project.ts';

const from = "import { operations, fields } from '@screen-advertising/core';";
const reads = "import { read } from '../structure/project.ts';";

describe('expected values, and rows of tables, are literals:', () => {
  it.each([
    ['names', `${from} expect(found).toEqual(Object.keys(operations));`],
    ['a count', `${from} const all = [...fields]; expect(found).toHaveLength(all.length);`],
    ['labels', `${from} expect(found).toEqual(fields.map(({ title }) => title));`],
    ['rows', `${from} describe.each(Object.values({ ...operations }))('$name', () => {});`],
    [
      'a page',
      `${reads} const page = read('packages/relay/README.md'); it.each(rowsOf(page))('');`,
    ],
  ])('a list of the product is refused as %s', (_what, source) => {
    expect(borrowedValues('a.test.ts', source)).toEqual([
      expect.stringMatching(/^a\.test\.ts:1 (expects|has rows of) what the product lists$/),
    ]);
  });

  it.each([
    ['a literal list', "expect(Object.keys(operations)).toEqual(['screen.list']);"],
    ['one entry as input', "it.each([operations['screen.list']])('', () => {});"],
    ['a list of the tests', 'const names = [1]; it.each(names.map((one) => operations[one]))();'],
    ['a class', 'expect(run).toThrow(fields);'],
  ])('%s is fine', (_what, source) => {
    expect(borrowedValues('a.test.ts', `${from} ${source}`)).toEqual([]);
  });

  it('none is taken from the product', () => {
    const tests = projectFiles().filter((path) => /^test\/.*\.test\.ts$/.test(path));
    expect(tests.length).toBeGreaterThan(250);
    expect(tests.flatMap((path) => borrowedValues(path, read(path)))).toEqual([]);
  });
});
