import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../support/machine.ts';

/** What a reader does or sees at each sentence, in the order of the guide. */
export type Steps = Readonly<Record<string, () => Promise<unknown>>>;

/** Takes the steps. A sentence that the guide no longer has fails: its step may be outdated. */
export function walkThrough(guide: string, steps: Steps): void {
  it(`${guide} has the sentence of each step`, () => {
    const sentences = sentencesOf(readFileSync(path.join(root, guide), 'utf8'));
    assert.deepEqual(
      Object.keys(steps).filter((sentence) => !sentences.includes(sentence)),
      [],
    );
  });

  for (const [sentence, step] of Object.entries(steps))
    it(sentence, async () => void (await step()));
}

/**
 * The sentences of a guide as a reader sees them: without headings, commands, pictures and marks.
 * A row of a table is one sentence.
 */
function sentencesOf(markdown: string): string[] {
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
