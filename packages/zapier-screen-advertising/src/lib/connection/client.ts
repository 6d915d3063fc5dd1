import { type Client, type ClientOptions, createClient } from '@screen-advertising/core';
import { withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { platformAuth } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { renewsOn } from './bearer.ts';
import { readConnection, secretsOf } from './connection.ts';
import { deadlineMs, readRetry, writeTimeoutMs } from './limits.ts';
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
    ...policy,
  });
  return withLeadCoupons(client, couponKey);
}
