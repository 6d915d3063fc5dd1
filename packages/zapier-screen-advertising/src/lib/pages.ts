import type { Page } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** The result of a search that Zapier pages through: the token is empty on the last page. */
export interface SearchPage<Item> {
  results: Item[];
  paging_token: string | null;
}

export function searchPage<Item>({ data, pagination }: Page<Item>): SearchPage<Item> {
  return { results: data, paging_token: nextCursor(pagination) ?? null };
}

export function wholeResult<Item>(results: Item[]): SearchPage<Item> {
  return { results, paging_token: null };
}

/** The position from which Zapier asks a search to continue. */
export function searchPosition(bundle: Bundle): { cursor?: string } {
  const { paging_token } = bundle.meta;
  return paging_token ? { cursor: paging_token } : {};
}

/**
 * One page of a dropdown. Zapier counts pages, while the service continues from a cursor.
 * `z.cursor` keeps that cursor from one page to the next, and an empty one ends the list.
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
