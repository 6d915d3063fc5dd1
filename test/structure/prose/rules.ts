import type { TextlintRuleModule } from '@textlint/types';
import { type Word, words } from './words.ts';

/** Longer sentences are split. Code counts as one word. */
const maxSentenceWords = 32;
/** n8n shows help in a small box beside its field; what needs more belongs into the documents. */
const maxHelpWords = 25;

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** The words of a paragraph, with code as one word. */
function plainText(node: Node): string {
  if (node.type === 'Code') return 'code';
  if (node.type === 'Break') return ' ';
  return node.children?.map(plainText).join('') ?? (node.type === 'Html' ? '' : (node.value ?? ''));
}

const countWords = (text: string): number => text.match(/[\p{L}\p{N}…][^\s]*/gu)?.length ?? 0;

/** Ends at `.`, `?`, `!`, `:` or `;` before a space, since each of them lets a reader rest. */
const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!:;][)"'”*_]*)\s+/);

function wordRule({ not, say }: Word): TextlintRuleModule {
  // A phrase may go over the end of a line.
  const pattern = new RegExp(not.source.replaceAll(' ', '\\s+'), not.flags);
  return ({ Syntax, RuleError, report, locator }) => ({
    [Syntax.Str](node) {
      for (const { index, 0: found } of node.value.matchAll(pattern)) {
        const padding = locator.range([index, index + found.length]);
        report(node, new RuleError(`"${found}": say ${say}`, { padding }));
      }
    },
  });
}

const sentenceLength: TextlintRuleModule = ({ Syntax, RuleError, report }) => {
  const check = (node: Node & Parameters<typeof report>[0]) => {
    for (const sentence of sentencesOf(plainText(node))) {
      const count = countWords(sentence);
      if (count <= maxSentenceWords) continue;
      report(
        node,
        new RuleError(
          `${count} words in a sentence, at most ${maxSentenceWords}: "${sentence.slice(0, 60)}…"`,
        ),
      );
    }
  };
  return { [Syntax.Paragraph]: check, TableCell: check };
};

const helpLength: TextlintRuleModule = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Document](node) {
    const count = countWords(getSource(node));
    if (count > maxHelpWords) {
      report(node, new RuleError(`${count} words of help, at most ${maxHelpWords}`));
    }
  },
});

const everywhere = [
  ...Object.entries(words).map(([ruleId, word]) => ({ ruleId, rule: wordRule(word) })),
  { ruleId: 'sentence length', rule: sentenceLength },
];

/** The rules for each kind of text. */
export const rules = {
  prose: everywhere,
  help: [...everywhere, { ruleId: 'help length', rule: helpLength }],
} as const;
