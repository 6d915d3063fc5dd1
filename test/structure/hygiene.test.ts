import { describe, expect, it } from '@jest/globals';
import { findMarks, forbiddenMarks } from './marks.ts';
import { projectFiles, read } from './project.ts';

const isText = (path: string) => !/\.(?:png|ico|woff2?|zip|gz)$/.test(path);

describe('the files of the project', () => {
  it(`contain none of: ${forbiddenMarks.map(({ name }) => name).join(', ')}`, () => {
    const files = projectFiles().filter(isText);
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((path) => findMarks(path, read(path)))).toEqual([]);
  });
});

describe('a forbidden mark is reported', () => {
  /** In two parts, so that this file does not contain the mark. */
  const mark = (...parts: string[]) => parts.join('');

  it.each([
    ['work left for later', `// ${mark('TO', 'DO')}: later`],
    ['work left for later', `# ${mark('FIX', 'ME')}`],
    ['a test left out', `it${mark('.on', 'ly')}('works')`],
    ['a test left out', `describe${mark('.sk', 'ip')}.each([])`],
    ['a test left out by its name', `${mark('xdesc', 'ribe')}('works')`],
    ['a type error kept quiet', `// @ts-${mark('ig', 'nore')}`],
    ['a type error kept quiet', `// @ts-${mark('expect-', 'error')}`],
    ['an ESLint rule switched off', `// ${mark('eslint-', 'disable')}-next-line`],
    [
      'a Biome rule switched off without a reason',
      `// ${mark('biome-', 'ignore')} lint/style/x: a`,
    ],
    ['a Biome rule switched off without a reason', `// ${mark('biome-', 'ignore')} lint/style/x`],
  ])('%s: %s', (name, line) => {
    expect(findMarks('test/planted.test.ts', `\n${line}\n`)).toEqual([
      `test/planted.test.ts:2 holds ${name}`,
    ]);
  });

  it.each([`// ${mark('biome-', 'ignore')} lint/style/x: the platform asks for it`, 'BVCC-XXXX'])(
    'but not: %s',
    (line) => {
      expect(findMarks('test/planted.test.ts', line)).toEqual([]);
    },
  );
});
