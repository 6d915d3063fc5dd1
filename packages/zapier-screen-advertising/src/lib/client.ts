import {
  type Client,
  type ClientOptions,
  createClient,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { platformAuth } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { connectionSecrets, readConnection } from './connection.ts';
import { readRetryPolicy, runDeadlineMs, writeTimeoutMs } from './limits.ts';
import { tokenRenewalStatuses, zapierTransport } from './transport.ts';

type RequestPolicy = Pick<ClientOptions, 'timeoutMs' | 'retry'>;

/** For steps that read. */
const readPolicy: RequestPolicy = { timeoutMs: runDeadlineMs, retry: readRetryPolicy };

/**
 * For steps that recover a lost response with a second request. The two need no further deadline.
 */
export const recoverablePolicy: RequestPolicy = { timeoutMs: writeTimeoutMs, retry: false };

/** For steps where a lost response cannot be recovered. */
export const singleRequestPolicy: RequestPolicy = { timeoutMs: runDeadlineMs, retry: false };

/**
 * Creates a client for one run. Zapier renews tokens and reruns throttled steps, and a limiter here
 * would not see other runs, so the client does none of this. Throws ConfigurationError.
 */
export function createRunClient(
  z: ZObject,
  bundle: Bundle,
  policy: RequestPolicy = readPolicy,
): Client {
  const { baseUrl, couponKey } = readConnection(bundle.authData);
  const client = createClient({
    baseUrl,
    auth: platformAuth('zapier', () => connectionSecrets(bundle.authData)),
    transport: zapierTransport(z, { renewsOn: tokenRenewalStatuses(bundle.authData) }),
    rateLimit: false,
    onAttempt: ({ status }) => status !== undefined && responded.add(shown),
    ...policy,
  });
  const shown = withLeadCoupons(client, couponKey);
  return shown;
}

const responded = new WeakSet<Client>();

/** Whether the service sent any response to this client: one that does not is out of service. */
function hasResponded(client: Client): boolean {
  return responded.has(client);
}

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
  const timer = setTimeout(() => limit.abort(), runDeadlineMs);
  try {
    return await work(limit.signal);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    const seconds = `${runDeadlineMs / 1000} s`;
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
export async function collectAllRecords<Item>(
  client: Client,
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  await forEachRecord(client, title, list, (item) => items.push(item));
  return items;
}

/** Visits all records of a list, without holding them, within the time of one run. */
export function forEachRecord<Item>(
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
