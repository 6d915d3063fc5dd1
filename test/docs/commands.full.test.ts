import { describe, expect, it } from '@jest/globals';
import { type Command, pnpmCommands } from '../structure/documents.ts';
import { projectFiles, read } from '../structure/project.ts';
import { type Kind, kinds, kindsOf, needsMore, textsOf } from './commands/kinds.ts';
import { allBlocks, allCommands, blocksIn, commandsIn } from './commands/typed.ts';

/** What continuous integration runs, for every change or every night. */
const automation = ['.ci/run', '.github/workflows/nightly.yml'].map(read).join('\n');
const automated = new Set(pnpmCommands(automation).map(keyOf));

/** Ignores options and arguments: the script's own test covers those. */
function keyOf({ package: name, script }: Command): string {
  return `${name ?? 'root'} ${script}`;
}

describe('the commands in the documents', () => {
  it('belong to exactly one kind each', () => {
    expect(allCommands.length).toBeGreaterThan(50);
    const unclear = allCommands
      .map((command) => ({ ...command, kinds: kindsOf(command) }))
      .filter(({ kinds }) => kinds.length !== 1);
    expect(unclear).toEqual([]);
  });

  it.each<[string, Kind]>(Object.entries(kinds))(
    '%s: there are some, and a test runs them',
    (...kind) => {
      const [name, { runBy, holds }] = kind;
      expect(allCommands.some((command) => kindsOf(command).includes(name))).toBe(true);
      expect(projectFiles()).toContain(runBy);
      const quote = name.includes("'") ? '"' : "'";
      expect(read(runBy)).toContain(holds ?? `sOf(${quote}${name}${quote})`);
    },
  );

  it.each(Object.entries(needsMore))('%s is still in the documents, and needs %s', (text) => {
    expect(allCommands.map((command) => command.text)).toContain(text);
  });

  it.each(textsOf('scripts that take long'))('%s runs in continuous integration', (text) => {
    const [command] = pnpmCommands(text);
    const found = command ? automated.has(keyOf(command)) : automation.includes('pnpm install');
    expect(found).toBe(true);
  });

  it('are in blocks of a known language', () => {
    const languages = new Set(allBlocks.map(({ language }) => language));
    expect([...languages].sort()).toEqual(['diff', 'js', 'json', 'sh', 'text', 'ts']);
  });
});

describe('a command is found', () => {
  it.each<[string, string[]]>([
    ['```sh\nnpm pack\n# a word\ncurl x # why\n```', ['npm pack', 'curl x']],
    [
      '1. a\n\n   ```sh\n   cat > .env <<END\n   A=1\n   END\n   ```',
      ['cat > .env <<END\nA=1\nEND'],
    ],
    ['Run `npx -y pnpm@12 test` in `shared/src`, not `npm`.', ['npx -y pnpm@12 test']],
    ['```ts\nnpm.pack();\n```', []],
  ])('%j', (markdown, expected) => {
    expect(commandsIn('a.md', markdown).map(({ text }) => text)).toEqual(expected);
  });

  it('unless it is unknown: then it belongs to no kind', () => {
    expect(kindsOf({ document: 'a.md', text: 'npx -y pnpm@12 run nonsense' })).toEqual([]);
  });

  it('in a list as well, without its indentation', () => {
    expect(blocksIn('a.md', '- a\n  ```ts\n  if (a) {\n    b();\n  }\n  ```')).toEqual([
      { document: 'a.md', language: 'ts', text: 'if (a) {\n  b();\n}\n' },
    ]);
  });
});
