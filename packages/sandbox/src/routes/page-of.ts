import type { SandboxContext } from '../context.ts';
import { invalidParameter } from './read-input.ts';

interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** One page of items that are sorted by position (section 2.3). */
export function pageOf<Item extends { position: number }>(
  { variants }: SandboxContext,
  matching: readonly Item[],
  { cursor, limit }: PageRequest,
) {
  const after = cursor === undefined ? 0 : readCursor(cursor);
  if (after === undefined) {
    throw invalidParameter(variants, 'cursor is not from a page of this list.');
  }
  const rest = matching.filter(({ position }) => position > after);
  const items = rest.slice(0, limit);
  const hasMore = rest.length > items.length;
  const position = items.at(-1)?.position ?? after;
  return {
    items,
    pagination: {
      ...(hasMore
        ? { cursor: writeCursor(position) }
        : lastCursor(variants.lastCursor, cursor ?? writeCursor(position))),
      has_more: hasMore,
      total_count: matching.length,
    },
  };
}

function lastCursor(
  variant: SandboxContext['variants']['lastCursor'],
  repeated: string,
): { cursor?: string | null } {
  if (variant === 'absent') return {};
  if (variant === 'empty') return { cursor: '' };
  return { cursor: variant === 'repeated' ? repeated : null };
}

/**
 * A cursor continues a list after the item with this position. A position belongs to one item
 * forever, so pages stay consistent while items are added and removed. Users see an opaque text.
 */
function writeCursor(position: number): string {
  return Buffer.from(`after:${position}`).toString('base64url');
}

/** Undefined for a text that is not a cursor of a page. */
function readCursor(cursor: string): number | undefined {
  const position = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return position === undefined ? undefined : Number(position);
}
