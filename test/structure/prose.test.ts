import { describe, expect, it } from '@jest/globals';
import { check } from './prose/check.ts';
import { maxHelpWords, maxSentenceWords } from './prose/rules.ts';
import { textsOf } from './prose/texts.ts';

/** The rules that a file with this text would break, with the line of each. */
async function broken(path: string, source: string): Promise<string[]> {
  const hits = await Promise.all(textsOf(path, source).map(check));
  return hits.flat().map(({ line, rule }) => `${line} ${rule}`);
}

const long = (count: number) => `${Array(count).fill('word').join(' ')}.`;

describe('the prose check is red for', () => {
  it.each<[string, string, string[]]>([
    ['docs/a.md', '# Title\n\nThe service answers with 404.', ['3 response']],
    ['docs/a.md', 'Nobody is told.', ['1 nobody', '1 tell']],
    ['docs/a.md', long(maxSentenceWords + 1), ['1 sentence length']],
    [
      'shared/src/catalogue/a.ts',
      "\nconst a = 'Goes on by itself';",
      ['2 continue', '2 automatically'],
    ],
    [
      'shared/src/catalogue/a.ts',
      `const a = {\n  description: '${long(maxHelpWords + 1)}',\n};`,
      ['2 help length'],
    ],
    ['packages/x/src/a.ts', `const a = 'The coupon ' +\n  \`is \${b} anew\`;`, ['1 again']],
    ['packages/x/examples/a.json', '{\n"content": "What is there stays" }', ['2 is there']],
    ['packages/x/src/a.ts', '// The node goes\n// on.', ['1 continue']],
    ['test/x/a.test.ts', "it.each([])('%s goes on', () => {});", ['1 continue']],
  ])('%s: %j', async (path, source, rules) => {
    expect(await broken(path, source)).toEqual(rules);
  });
});

describe('the prose check is green for', () => {
  it.each([
    ['docs/a.md', 'The service responds with `answer` and 404.\n\n```ts\n// nobody\n```'],
    ['docs/a.md', long(maxSentenceWords)],
    ['shared/src/catalogue/a.ts', "import a from './answer.ts';\nconst answers = 'answer';"],
    ['packages/relay/src/a.ts', 'await sql`select answer from answers where nobody is told`;'],
    ['test/x/a.test.ts', "const sample = 'Somebody is told';"],
  ])('%s: %j', async (path, source) => {
    expect(await broken(path, source)).toEqual([]);
  });
});
