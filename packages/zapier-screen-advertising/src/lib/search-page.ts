import { nextCursor, type Page } from '@screen-advertising/core';
import type { Bundle } from 'zapier-platform-core';

/** What a search that Zapier pages through gives: the token is empty on the last page. */
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

/** Where Zapier asks a search to go on. */
export function searchPosition(bundle: Bundle): { cursor?: string } {
  const { paging_token } = bundle.meta;
  return paging_token ? { cursor: paging_token } : {};
}
