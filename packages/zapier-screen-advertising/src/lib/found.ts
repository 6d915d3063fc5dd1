import { ScreenAdvertisingError } from '@screen-advertising/core';

/** What a search for one record gives: nothing when the service does not know it. */
export async function found<Item>(record: Promise<Item>): Promise<Item[]> {
  try {
    return [await record];
  } catch (error) {
    if (isUnknownRecord(error)) return [];
    throw error;
  }
}

/** A 404 without a problem document does not come from the service but from a wrong base URL. */
function isUnknownRecord(error: unknown): boolean {
  return (
    ScreenAdvertisingError.isInstance(error) &&
    error.code === 'not_found' &&
    error.problem !== undefined
  );
}
