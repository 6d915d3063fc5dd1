import { ScreenAdvertisingError } from '@screen-advertising/core';
import { deadlineMs } from './limits.ts';
import { timeLimit } from './time-limit.ts';

/**
 * All records of a list, within the time of one run. `list` hands the signal to the client.
 * Throws ScreenAdvertisingError (`timeout`).
 */
export async function collect<Item>(
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  const limit = timeLimit(deadlineMs);
  const items: Item[] = [];
  try {
    for await (const item of list(limit.signal)) items.push(item);
    return items;
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new ScreenAdvertisingError(
      'timeout',
      `${title} was not complete after ${deadlineMs / 1000} s. Narrow it with the other fields.`,
      { isRetryable: true, cause: error },
    );
  } finally {
    limit.stop();
  }
}
