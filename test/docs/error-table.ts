/** Messages in the first column of the tables that have a column of messages. */
export function messagesIn(markdown: string): string[] {
  return markdown
    .split(/\n(?=\| Message )/)
    .slice(1)
    .flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n').slice(2))
    .map((row) => row.split('|')[1]?.trim() ?? '')
    .filter((message) => message !== '');
}

/** The parts of a message that stand in a source as they are: between what differs, sentence by sentence. */
export function quotedTexts(message: string): string[] {
  return message
    .split(/…|[()]|\.(?:\s|$)|:\s/)
    .map((text) => text.replace(/^[,.\s]+|[,.\s]+$/g, ''))
    .filter((text) => /\w+\W+\w+/.test(text) && !/^status$/.test(text));
}

/** The words of a union type. */
export function codesIn(source: string, type: string): string[] {
  const union = source.match(new RegExp(`type ${type} =([^;]*);`))?.[1] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
}

const interpolation = '\\$\\{(?:[^{}`]|`[^`]*`|\\{[^}]*\\})*\\}';

/** Texts that a call which makes an error is given after its plain arguments. */
const thrown = new RegExp(
  `(?:new (?:\\w+\\.)*\\w*Error|refus\\w+|wrongArgument)\\(\\s*(?:[^\\s\`'"(),]+,\\s*|'[^'\\s]*',\\s*)*(?:\`((?:[^\`$]|${interpolation}|\\$)*)\`|'([^']*)'|"([^"]*)")`,
  'g',
);

/** Whole messages that a source throws, with `…` for what differs. */
export function messagesThrownIn(source: string): string[] {
  return [...source.matchAll(thrown)]
    .map(([, template, single, double]) => template ?? single ?? double ?? '')
    .map((text) => text.replaceAll(new RegExp(interpolation, 'g'), '…'))
    .filter((text) => /^[\w…].*\.$|^… .*…$/.test(text) && /\s/.test(text));
}
