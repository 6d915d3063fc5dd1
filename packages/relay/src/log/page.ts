import { RelayError } from '../relay-error.ts';

/** Records of a page, unless a request says how many. */
export const defaultLimit = 50;

export interface Page<Item> {
  data: Item[];
  pagination: { cursor: string | null; has_more: boolean };
}

/** The rows of a page, out of one row more, and the place of the last one if others follow. */
export function onePage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => string,
): { readonly shown: readonly Row[]; readonly next: string | undefined } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: last && rows.length > limit ? placeOf(last) : undefined };
}

/** The same as the API shows it. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  placeOf: (row: Row) => string,
): Page<Item> {
  const { shown, next } = onePage(rows, limit, placeOf);
  return {
    data: shown.map(show),
    pagination: {
      cursor: next === undefined ? null : Buffer.from(next).toString('base64url'),
      has_more: next !== undefined,
    },
  };
}

/**
 * The place in a cursor from `pageOf`; undefined without a cursor. Throws a RelayError for any other
 * text.
 */
export function readCursor<Place>(
  cursor: string | undefined,
  read: (text: string) => Place | undefined,
): Place | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const place = read(text);
  // Node ignores characters that are not base64.
  if (place !== undefined && Buffer.from(text).toString('base64url') === cursor) return place;
  throw new RelayError(
    'invalid_parameter',
    'cursor must be the cursor of the previous page, unchanged.',
  );
}

/** The number of a row; undefined for any other text. */
export function readNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
