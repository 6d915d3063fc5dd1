/** Messages in the first column of every table with a column of messages. */
export function messagesIn(markdown: string): string[] {
  return markdown
    .split(/\n(?=\| Message )/)
    .slice(1)
    .flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n').slice(2))
    .map((row) => row.split('|')[1]?.trim() ?? '')
    .filter((message) => message !== '');
}

/**
 * The fixed parts of a message, as they appear in a source: between its variable parts, by
 * sentence.
 */
export function quotedTexts(message: string): string[] {
  return message
    .split(/…|[()]|\.(?:\s|$)|:\s/)
    .map((text) => text.replace(/^[,.\s]+|[,.\s]+$/g, ''))
    .filter((text) => /\w+\W+\w+/.test(text) && !/^status$/.test(text));
}

const interpolation = '\\$\\{(?:[^{}`]|`[^`]*`|\\{[^}]*\\})*\\}';

/** Message texts in a call that creates an error, after its plain arguments. */
const thrown = new RegExp(
  `(?:new (?:\\w+\\.)*\\w*Error|refus\\w+|wrongArgument)\\(\\s*(?:[^\\s\`'"(),]+,\\s*|'[^'\\s]*',\\s*)*(?:\`((?:[^\`$]|${interpolation}|\\$)*)\`|'([^']*)'|"([^"]*)")`,
  'g',
);

/** Whole messages that a source throws, with `…` for the variable parts. */
export function messagesThrownIn(source: string): string[] {
  return [...source.matchAll(thrown)]
    .map(([, template, single, double]) => template ?? single ?? double ?? '')
    .map((text) => text.replaceAll(new RegExp(interpolation, 'g'), '…'))
    .filter((text) => /^[\w…].*\.$|^… .*…$/.test(text) && /\s/.test(text));
}
