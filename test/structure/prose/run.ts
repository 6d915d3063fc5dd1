/** Checks the prose of the project, or below the given paths, by the rules in words.ts and rules.ts. */
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { projectFiles } from '../project.ts';
import { rules } from './rules.ts';
import { type Text, textsOf } from './texts.ts';

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

// Node gives the whole module of a CommonJS package, Jest its default export.
const plugin = 'default' in markdown ? markdown.default : markdown;
const kernel = new TextlintKernel();

/** What a text says that should be said in another way. */
async function check({ path, line, kind, text }: Text): Promise<Hit[]> {
  const source = kind === 'Markdown' ? text : flat(text);
  const { messages } = await kernel.lintText(source, {
    ext: '.md',
    filePath: path,
    plugins: [{ pluginId: 'markdown', plugin }],
    rules: [...rules[kind === 'help' ? 'help' : 'prose']],
  });
  return messages.map(({ ruleId, message, loc }) => ({
    path,
    line: line + loc.start.line - 1,
    rule: ruleId,
    message,
  }));
}

/** Without what Markdown would read as code or as a list; lines stay where they are. */
const flat = (text: string): string => text.replace(/^[ \t#>*+-]+/gm, '');

const paths = process.argv.slice(2);
const files = projectFiles().filter(
  (file) => paths.length === 0 || paths.some((path) => file.startsWith(path)),
);
const hits: Hit[] = [];
for (const text of files.flatMap((path) => textsOf(path))) hits.push(...(await check(text)));

for (const { path, line, rule, message } of hits) {
  process.stdout.write(`${path}:${line} ${rule}: ${message}\n`);
}
process.stdout.write(`prose: ${hits.length} hits\n`);
process.exitCode = hits.length > 0 ? 1 : 0;
