import { ScreenAdvertisingError } from '@screen-advertising/core';
import { deadlineMs } from './limits.ts';

/**
 * Runs work of many requests within the time of one run; the work passes the signal to the client.
 * `todo` says what to do when the time is up. Throws ScreenAdvertisingError (`timeout`).
 */
export async function withDeadline<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
  todo = 'Narrow it with the other fields.',
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), deadlineMs);
  try {
    return await work(limit.signal);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new ScreenAdvertisingError('timeout', `did not finish within ${deadlineMs / 1000} s`, {
      title,
      remedy: todo,
      isRetryable: true,
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** More would not fit into the memory and time of one run. */
const maxItems = 50_000;

/** All records of a list, within the time of one run. `list` passes the signal to the client. */
export function collect<Item>(
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  return withDeadline(title, async (signal) => {
    const items: Item[] = [];
    for await (const item of list(signal)) {
      if (items.length === maxItems) throw tooMany(title);
      items.push(item);
    }
    return items;
  });
}

function tooMany(title: string): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'invalid_request',
    `found more than ${maxItems} records, too many for one run`,
    { title, remedy: 'Narrow it with the other fields.' },
  );
}
