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
