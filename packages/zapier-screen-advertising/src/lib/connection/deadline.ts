import { type Client, ScreenAdvertisingError } from '@screen-advertising/core';
import { deadlineMs } from '../limits.ts';
import { hasResponded } from './client.ts';

/**
 * Runs work of many requests within the time of one run; the work passes the signal to the client.
 * `todo` says what to do when the work is too much. Throws ScreenAdvertisingError (`timeout`).
 */
export async function withDeadline<Result>(
  client: Client,
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
    const seconds = `${deadlineMs / 1000} s`;
    const [what, remedy] = hasResponded(client)
      ? [`did not finish within ${seconds}`, todo]
      : [`got no response from the service within ${seconds}`];
    const details = { title, remedy, isRetryable: true, cause: error };
    throw new ScreenAdvertisingError('timeout', what, details);
  } finally {
    clearTimeout(timer);
  }
}

/** More would not fit into the memory and time of one run. */
const maxItems = 50_000;

/** All records of a list, within the time of one run. `list` passes the signal to the client. */
export async function collect<Item>(
  client: Client,
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  await forEach(client, title, list, (item) => items.push(item));
  return items;
}

/** Visits all records of a list, without holding them, within the time of one run. */
export function forEach<Item>(
  client: Client,
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
  visit: (item: Item) => void,
): Promise<void> {
  return withDeadline(client, title, async (signal) => {
    let count = 0;
    for await (const item of list(signal)) {
      count += 1;
      if (count > maxItems) throw tooMany(title);
      visit(item);
    }
  });
}

function tooMany(title: string): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'invalid_request',
    `found more than ${maxItems} records, too many for one run`,
    { title, remedy: 'Narrow it with the other fields.' },
  );
}
