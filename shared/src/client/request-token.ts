import { bareTokenEndpoint } from '../catalogue/token.ts';
import { timestampOf } from '../clock.ts';
import { ProblemError, ResponseError } from '../errors/error-classes.ts';
import { noteCall, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { type AttemptHook, notify } from './attempt-hook.ts';
import { errorFrom, isProblem, service } from './error-from-response.ts';
import { redactor } from './redact.ts';
import { accept, buildRequest } from './request.ts';
import { type ClientCredentials, isBearerToken, type StoredToken } from './token-store.ts';

export interface TokenRequestOptions {
  readonly baseUrl: string;
  readonly auth: ClientCredentials;
  readonly transport: Transport;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Secrets other than the client secret to keep out of errors, such as the previous token. */
  readonly secrets?: readonly string[];
  readonly onAttempt?: AttemptHook | undefined;
  readonly userAgent?: string | undefined;
}

const title = 'The access token request';

/**
 * Fetches one access token (section 4.1), also for platforms that keep tokens themselves. Rejects
 * with ProblemError (`authentication_failed` for wrong credentials), ResponseError or
 * TransportError.
 */
export async function requestToken(options: TokenRequestOptions): Promise<StoredToken> {
  const { clock } = options.transport;
  const { method, path } = bareTokenEndpoint;
  const sentAt = clock.now();
  let token: StoredToken | undefined;
  let failure: ScreenAdvertisingError | undefined;
  try {
    token = await fetchToken(options);
    return token;
  } catch (error) {
    if (ScreenAdvertisingError.isInstance(error)) {
      failure = error;
      noteCall(error, { operation: 'token', attempts: 1 });
    }
    throw error;
  } finally {
    notify(options.onAttempt, {
      operation: 'token',
      attempt: 1,
      method,
      path,
      status: token ? bareTokenEndpoint.successStatus : failure?.status,
      durationMs: clock.now() - sentAt,
      waitMs: 0,
      error: failure,
    });
  }
}

async function fetchToken(options: TokenRequestOptions): Promise<StoredToken> {
  const { baseUrl, auth, transport, timeoutMs, signal, secrets = [], userAgent } = options;
  const { clientId, clientSecret } = auth;
  const startedAt = timestampOf(transport.clock);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const headers = { ...accept, ...(userAgent && { 'user-agent': userAgent }) };
  const request = buildRequest(baseUrl, bareTokenEndpoint, credentials, headers);
  const response = await transport.send({ ...request, timeoutMs, ...(signal && { signal }) });
  if (response.status >= 300) {
    const now = timestampOf(transport.clock);
    const redact = redactor([clientSecret, ...secrets]);
    const context = { peer: service, title, path: '', scopes: [], now, redact };
    throw explained(errorFrom(quotableOf(response), context));
  }
  const json = parseJsonOr(response.body, undefined);
  if (!isRecord(json) || !isBearerToken(json.access_token)) {
    // The body may still hold a token, so the error shows nothing of it.
    const { status } = response;
    throw new ResponseError(`failed: the response with status ${status} has no usable token`, {
      title,
      remedy: 'Check that the base URL leads to the service.',
      status,
    });
  }
  const { access_token: accessToken, expires_in, scope } = json;
  const seconds = Number(expires_in) > 0 ? Number(expires_in) : bareTokenEndpoint.lifetimeSeconds;
  const expiresAt = startedAt + seconds * 1000;
  return { accessToken, expiresAt, ...(typeof scope === 'string' && { scope }) };
}

/** The other side got a secret and deals with tokens, so only text written for people is kept. */
function quotableOf(response: TransportResponse): TransportResponse {
  const json = parseJsonOr(response.body, undefined);
  const { detail, retry_after } = isRecord(json) ? json : {};
  const words = JSON.stringify({ detail, retry_after });
  const isOwn = isProblem(response, json);
  const type = isOwn ? 'application/problem+json' : '';
  return {
    ...response,
    headers: { ...response.headers, 'content-type': type },
    body: isOwn || retry_after ? words : '',
  };
}

/** Which of these statuses means wrong credentials is not shown, so all are read alike. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/** A status without a problem document may come from a proxy, and says nothing of the secret. */
function explained(error: ScreenAdvertisingError): ScreenAdvertisingError {
  const { status = 401, said, problem, headers, requestId } = error;
  if (!refusals.has(status) || !problem) return error;
  return new ProblemError('authentication_failed', 'The client ID or client secret is wrong', {
    said,
    remedy:
      'Check that both are complete, belong together and to this base URL, and have not been revoked.',
    status,
    problem,
    headers,
    requestId,
  });
}
