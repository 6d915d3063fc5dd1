import { Refusal } from '../http/refusal.ts';

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly cursor: string | null; readonly has_more: boolean };
}

/** A page of rows of which one more than the limit was read. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  position: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(show),
    pagination: {
      cursor: hasMore ? Buffer.from(position(last)).toString('base64url') : null,
      has_more: hasMore,
    },
  };
}

/** The position that a cursor of `pageOf` names. Throws a 400 for any other text. */
export function readCursor(cursor: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return match;
  throw new Refusal(
    400,
    'invalid-parameter',
    'cursor: use the cursor of the page before, unchanged.',
  );
}
