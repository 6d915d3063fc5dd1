import { describe, expect, it } from '@jest/globals';
import { idleAssertions } from './assertions.ts';
import { borrowedValues } from './borrowed-values.ts';
import { hiddenHooks } from './hidden-hooks.ts';
import { projectFiles, read } from './project.ts';
import { programOf } from './syntax.ts';

const from = "import { operations, fields } from '@screen-advertising/core';";
const reads = "import { read } from './project.ts';";

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
    expect(borrowedValues('a.test.ts', programOf(source))).toEqual([
      expect.stringMatching(/^a\.test\.ts:1 (expects|has rows of) what the product lists$/),
    ]);
  });

  it.each([
    ['a literal list', "expect(Object.keys(operations)).toEqual(['screen.list']);"],
    ['one entry as input', "it.each([operations['screen.list']])('', () => {});"],
    ['a list of the tests', 'const names = [1]; it.each(names.map((one) => operations[one]))();'],
    ['a class', 'expect(run).toThrow(fields);'],
  ])('%s is fine', (_what, source) => {
    expect(borrowedValues('a.test.ts', programOf(`${from} ${source}`))).toEqual([]);
  });
});

describe('hooks are in the test, or in a function that it calls:', () => {
  it.each([
    ['on import', 'afterEach(stop);'],
    ['on import', "describe('x', () => { beforeAll(start); });"],
    ['in a constructor', 'class Bench { constructor() { afterEach(() => this.stop()); } }'],
    ['in a constructor', 'class Bench { constructor(all) { all.map((one) => afterAll(one)); } }'],
  ])('%s they are refused: %s', (where, source) => {
    expect(hiddenHooks('a.ts', programOf(source))).toEqual([
      expect.stringMatching(`^a\\.ts:1 registers (before|after)(Each|All) ${where}$`),
    ]);
  });

  it.each([
    ['a function', 'export function useBench() { beforeAll(start); }'],
    ['an arrow function', "const useBench = () => describe('x', () => { beforeAll(start); });"],
    ['a method', 'class Bench { use() { afterEach(() => this.stop()); } }'],
  ])('%s is fine', (_what, source) => {
    expect(hiddenHooks('a.ts', programOf(source))).toEqual([]);
  });
});

describe('in all files of the tests,', () => {
  const files = projectFiles().filter((path) => /^test\/.*\.ts$/.test(path));
  const sources = files.map((path) => ({ path, program: programOf(read(path)) }));
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));
  const withRunner = sources.filter(({ path }) => /\.(?:test|e2e)\.ts$/.test(path));
  // Jest's configuration names jest.*.ts and install.ts; pictures are taken by a runner, too.
  const own = /\.(?:test|e2e)\.ts$|\/jest\.\w+\.ts$|\/taint\/install\.ts$|pictures\.ts$/;
  const helpers = sources.filter(({ path }) => !own.test(path));

  it('every test asserts, whatever happens', () => {
    expect(withRunner.length).toBeGreaterThan(250);
    expect(withRunner.flatMap(({ path, program }) => idleAssertions(path, program))).toEqual([]);
  });

  it('no expected value is taken from the product', () => {
    expect(tests.length).toBeGreaterThan(250);
    expect(tests.flatMap(({ path, program }) => borrowedValues(path, program))).toEqual([]);
  });

  it('no helper registers hooks on import or in a constructor', () => {
    expect(helpers.length).toBeGreaterThan(150);
    expect(helpers.flatMap(({ path, program }) => hiddenHooks(path, program))).toEqual([]);
  });
});
