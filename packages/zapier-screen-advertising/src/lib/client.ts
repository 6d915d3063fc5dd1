import { type Client, type ClientOptions, createClient } from '@screen-advertising/core';
import { platformAuth } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { readConnection, secretsOf } from './connection.ts';
import { changeTimeoutMs, deadlineMs, readRetry } from './limits.ts';
import { zapierTransport } from './transport.ts';

type Patience = Pick<ClientOptions, 'timeoutMs' | 'retry'>;

/** For steps that read. */
const reading: Patience = { timeoutMs: deadlineMs, retry: readRetry };

/** For steps whose lost answer is made up for by a second request. The two need no further deadline. */
export const changing: Patience = { timeoutMs: changeTimeoutMs, retry: false };

/** For steps that nothing makes up for. */
export const once: Patience = { timeoutMs: deadlineMs, retry: false };

/**
 * A client for one run. Zapier renews tokens and repeats throttled runs, and a limiter here would
 * know of no other run, so the client does none of it. Throws ConfigurationError.
 */
export function clientFor(z: ZObject, bundle: Bundle, patience: Patience = reading): Client {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  const canRenewToken = credentials.kind === 'client-credentials';
  return createClient({
    baseUrl,
    auth: platformAuth('zapier', () => secretsOf(bundle.authData)),
    transport: zapierTransport(z, { canRenewToken }),
    rateLimit: false,
    ...patience,
  });
}
