import { RelayError } from '../relay-error.ts';

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly cursor: string | null; readonly has_more: boolean };
}

/** Builds a page from rows that were read with one row more than the limit. */
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

/** Reads the position out of a cursor from `pageOf`. Throws a RelayError for any other text. */
export function readCursor(cursor: string, pattern: RegExp): RegExpExecArray {
  const position = Buffer.from(cursor, 'base64url').toString();
  const match = pattern.exec(position);
  // Node ignores characters that are not base64.
  if (match && Buffer.from(position).toString('base64url') === cursor) return match;
  throw new RelayError(
    'invalid_parameter',
    'cursor: use the cursor of the previous page, unchanged.',
  );
}
