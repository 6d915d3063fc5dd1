import { InputError } from '@screen-advertising/core';

/** About 8,000 tokens: a client shows a response of this size without cutting it. */
const mostCharacters = 25_000;

/** Where a list continues: an offset within the part that `rest` leads to. */
interface Place {
  readonly start: number;
  /** What leads to that part: the service's cursor, or the name of a kept result. */
  readonly rest: string | undefined;
}

/** Reads a cursor: a start, and what leads to the part. Throws InputError for any other text. */
export function readCursor(title: string, cursor: unknown): Place {
  const [, start, rest] = /^(\d{1,9})~(.*)$/s.exec(String(cursor || '0~')) ?? [];
  if (start === undefined) throw invalidCursor(title);
  return { start: Number(start), rest: rest || undefined };
}

export function invalidCursor(title: string): InputError {
  const message = 'is not valid: leave it out to start at the beginning of the list';
  return new InputError(title, [{ field: 'cursor', message }]);
}

/** As many records as a response may hold, at least one, and where the rest begins. */
export function partOf<Item>(all: readonly Item[], start: number): { data: Item[]; end: number } {
  let characters = 0;
  let end = start;
  while (end < all.length) {
    characters += JSON.stringify(all[end]).length;
    if (end > start && characters > mostCharacters) break;
    end += 1;
  }
  return { data: all.slice(start, end), end };
}
