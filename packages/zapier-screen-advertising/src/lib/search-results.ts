import { type Page, ScreenAdvertisingError } from '@screen-advertising/core';
import { nextCursor } from '@screen-advertising/core/platform';
import type { Bundle } from 'zapier-platform-core';

/** The result of a search for one record: empty when the service does not know it. */
export async function oneOrNone<Item>(record: Promise<Item>): Promise<Item[]> {
  try {
    return [await record];
  } catch (error) {
    if (isUnknownRecord(error)) return [];
    throw error;
  }
}

/** A 404 without a problem document comes from a wrong base URL, not from the service. */
function isUnknownRecord(error: unknown): boolean {
  return (
    ScreenAdvertisingError.isInstance(error) &&
    error.code === 'not_found' &&
    error.problem !== undefined
  );
}

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
