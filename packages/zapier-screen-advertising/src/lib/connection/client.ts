import { type Client, type ClientOptions, createClient } from '@screen-advertising/core';
import { withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { platformAuth } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { deadlineMs, readRetry, writeTimeoutMs } from '../limits.ts';
import { renewsOn } from './bearer.ts';
import { readConnection, secretsOf } from './connection.ts';
import { zapierTransport } from './transport.ts';

type RequestPolicy = Pick<ClientOptions, 'timeoutMs' | 'retry'>;

/** For steps that read. */
const readPolicy: RequestPolicy = { timeoutMs: deadlineMs, retry: readRetry };

/**
 * For steps that recover a lost response with a second request. The two need no further deadline.
 */
export const recoverablePolicy: RequestPolicy = { timeoutMs: writeTimeoutMs, retry: false };

/** For steps where a lost response cannot be recovered. */
export const singleRequestPolicy: RequestPolicy = { timeoutMs: deadlineMs, retry: false };

/**
 * Creates a client for one run. Zapier renews tokens and reruns throttled steps, and a limiter here
 * would not see other runs, so the client does none of this. Throws ConfigurationError.
 */
export function clientFor(z: ZObject, bundle: Bundle, policy: RequestPolicy = readPolicy): Client {
  const { baseUrl, couponKey } = readConnection(bundle.authData);
  const client = createClient({
    baseUrl,
    auth: platformAuth('zapier', () => secretsOf(bundle.authData)),
    transport: zapierTransport(z, { renewsOn: renewsOn(bundle.authData) }),
    rateLimit: false,
    onAttempt: ({ status }) => status !== undefined && responded.add(shown),
    ...policy,
  });
  const shown = withLeadCoupons(client, couponKey);
  return shown;
}

const responded = new WeakSet<Client>();

/** Whether the service sent any response to this client: one that does not is out of service. */
export function hasResponded(client: Client): boolean {
  return responded.has(client);
}
