import { ScreenAdvertisingError } from '@screen-advertising/core';

/** The result of a search for one record: empty when the service does not know it. */
export async function found<Item>(record: Promise<Item>): Promise<Item[]> {
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
