import { type Client, createClient, platformAuth } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { readConnection, secretsOf } from './connection.ts';
import { deadlineMs } from './limits.ts';
import { zapierTransport } from './transport.ts';

/**
 * A client for one run. Zapier renews tokens and repeats throttled runs, and a limiter here would
 * know of no other run, so the client does none of it. Throws ConfigurationError.
 */
export function clientFor(z: ZObject, bundle: Bundle, timeoutMs: number = deadlineMs): Client {
  const { baseUrl, credentials } = readConnection(bundle.authData);
  const canRenewToken = credentials.kind === 'client-credentials';
  return createClient({
    baseUrl,
    auth: platformAuth('zapier', () => secretsOf(bundle.authData)),
    transport: zapierTransport(z, { canRenewToken }),
    retry: false,
    rateLimit: false,
    timeoutMs,
  });
}
