/**
 * The sentences of a guide as a reader sees them: without headings, commands, pictures and marks.
 * A row of a table is one sentence.
 */
export function sentencesOf(markdown: string): string[] {
  return (
    markdown
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      // The head of a table.
      .replaceAll(/^\|.*\|\n\|[-| :]+\|$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:#|!\[|\[!\[)/.test(line))
      .map((line) => line.replace(/^(?:\d+\.|[-*]) /, ''))
      .map((line) => line.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*+|`/g, ''))
      .flatMap((line) =>
        line.startsWith('|') ? [line.slice(1, -1).trim()] : line.split(/(?<=[.!?]) (?=[A-Z]|n8n )/),
      )
  );
}
