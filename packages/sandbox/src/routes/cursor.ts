/**
 * Where a list goes on: behind the item with this position. A position belongs to one item for
 * good, so pages stay consistent while others come and go. Users see an opaque text.
 */
export function writeCursor(position: number): string {
  return Buffer.from(`after:${position}`).toString('base64url');
}

/** Undefined for what no page gave. */
export function readCursor(cursor: string): number | undefined {
  const position = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return position === undefined ? undefined : Number(position);
}
