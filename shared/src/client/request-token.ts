import * as z from 'zod/mini';
import { tokenEndpoint } from '../catalogue/token.ts';
import { ProblemError } from '../errors/problem-error.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { parseJsonOr } from '../json.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClientCredentialsAuth, StoredToken } from './auth.ts';
import { errorFrom, unusable } from './problem.ts';

export interface TokenRequestOptions {
  readonly baseUrl: string;
  readonly auth: ClientCredentialsAuth;
  readonly transport: Transport;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Fetches one access token (section 4.1); also for platforms that keep tokens themselves. Rejects
 * with ProblemError (`authentication_failed` for wrong credentials), ResponseError or TransportError.
 */
export async function requestToken(options: TokenRequestOptions): Promise<StoredToken> {
  const { baseUrl, auth, transport, timeoutMs } = options;
  const { clientId, clientSecret } = auth;
  const startedAt = transport.clock.now();
  const response = await transport.send({
    method: tokenEndpoint.method,
    url: `${baseUrl}${tokenEndpoint.path}`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
    timeoutMs,
  });
  const context = {
    title: 'The request for an access token',
    scopes: [],
    now: transport.clock.now(),
    secrets: [clientSecret],
  };
  if (response.status >= 300) throw explained(errorFrom(response, context));
  const answer = z.safeParse(tokenEndpoint.output, parseJsonOr(response.body, undefined));
  if (!answer.success || !/^[\x21-\x7e]+$/.test(answer.data.access_token)) {
    // The body may hold a token, so the error shows nothing of it.
    throw unusable({ ...response, body: '' }, context);
  }
  const { access_token: accessToken, expires_in } = answer.data;
  const seconds = expires_in && expires_in > 0 ? expires_in : tokenEndpoint.lifetimeSeconds;
  return { accessToken, expiresAt: startedAt + seconds * 1000 };
}

/** Which of these statuses answers wrong credentials is not shown, so all are read alike. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

function explained(error: ScreenAdvertisingError): ScreenAdvertisingError {
  if (!refusals.has(error.status)) return error;
  return new ProblemError(
    'authentication_failed',
    'The client ID or the client secret is wrong. Check that both were copied whole, belong together and to this base URL, and were not withdrawn.',
    { status: error.status ?? 401, problem: error.problem },
  );
}
