import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { rules } from './rules.ts';
import type { Text } from './texts.ts';

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

// Node gives the whole module of a CommonJS package, Jest its default export.
const plugin = 'default' in markdown ? markdown.default : markdown;
const kernel = new TextlintKernel();

/** What a text says that should be said in another way. */
export async function check({ path, line, kind, text }: Text): Promise<Hit[]> {
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
