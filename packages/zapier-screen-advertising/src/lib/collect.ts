import { ScreenAdvertisingError } from '@screen-advertising/core';
import { deadlineMs } from './limits.ts';

/**
 * All records of a list, within the time of one run. `list` hands the signal to the client.
 * Throws ScreenAdvertisingError (`timeout`).
 */
export async function collect<Item>(
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const items: Item[] = [];
  try {
    for await (const item of list(signal)) items.push(item);
    return items;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ScreenAdvertisingError(
      'timeout',
      `${title} was not complete after ${deadlineMs / 1000} s. Narrow it with the other fields.`,
      { isRetryable: true, cause: error },
    );
  }
}
