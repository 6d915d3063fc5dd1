import { nextCursor, type Page } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';

/**
 * One page of a dropdown. Zapier counts pages, the service goes on from a cursor: `z.cursor`
 * keeps it from one page to the next, and an empty one ends the list.
 */
export async function dropdownPage<Item>(
  z: ZObject,
  bundle: Bundle,
  load: (position: { cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const isFirst = !bundle.meta.page;
  const cursor = isFirst ? undefined : await z.cursor.get();
  if (!isFirst && !cursor) return [];
  const { data, pagination } = await load(cursor ? { cursor } : {});
  await z.cursor.set(nextCursor(pagination) ?? '');
  return data;
}
