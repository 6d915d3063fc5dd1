import { tokenEndpoint } from '../catalogue/token.ts';
import type { Clock } from '../clock.ts';
import { ProblemError } from '../errors/problem-error.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { parseJson } from '../json.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { abortable } from './abortable.ts';
import type { ClientCredentialsAuth, StoredToken } from './auth.ts';
import { type CallContext, errorFrom, unusable } from './problem.ts';

/** Tokens this close to their end are no longer used: the request must still arrive in time. */
const safetyMs = 5_000;
/** From here on a new token is fetched in the background while the old one still serves. */
const refreshAheadMs = 60_000;
/** 10 requests a minute are allowed, so failures are followed up no faster. */
const pauseAfterFailureMs = 60_000 / tokenEndpoint.requestsPerMinute;

export interface TokenRequest {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches a token with a client ID and secret once for all callers and keeps it for its hour. */
export class TokenSource {
  readonly #auth: ClientCredentialsAuth;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  /** Spreads the refreshes of several processes. */
  readonly #jitterMs: number = Math.random() * refreshAheadMs;
  #token: StoredToken | undefined;
  #refused: string | undefined;
  #lifetimeMs: number = tokenEndpoint.lifetimeSeconds * 1000;
  #flight: Promise<StoredToken> | undefined;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(auth: ClientCredentialsAuth, baseUrl: string, clock: Clock) {
    this.#auth = auth;
    this.#baseUrl = baseUrl;
    this.#clock = clock;
  }

  /** Rejects with ProblemError (`authentication_failed` for wrong credentials) or TransportError. */
  async get(request: TokenRequest): Promise<string> {
    const token = this.#token;
    const left = token ? token.expiresAt - this.#clock.now() : 0;
    if (!token || left <= safetyMs) return this.#renew(request);
    if (left <= Math.min(refreshAheadMs + this.#jitterMs, this.#lifetimeMs / 10)) {
      // The old token still serves: a failure matters, and is told, once it no longer does.
      this.#renew({ ...request, signal: undefined }).catch(() => undefined);
    }
    return token.accessToken;
  }

  /** Says that the service refused this token; the next `get` brings another one. */
  refuse(accessToken: string): void {
    if (this.#token?.accessToken !== accessToken) return;
    this.#token = undefined;
    this.#refused = accessToken;
  }

  async #renew(request: TokenRequest): Promise<string> {
    this.#flight ??= this.#obtain(request).finally(() => {
      this.#flight = undefined;
    });
    return (await abortable(this.#flight, request.signal)).accessToken;
  }

  async #obtain(request: TokenRequest): Promise<StoredToken> {
    const key = `${this.#baseUrl} ${this.#auth.clientId}`;
    const stored = await this.#auth.store?.get(key);
    const isFresh = stored && stored.expiresAt - this.#clock.now() > refreshAheadMs;
    if (isFresh && ![this.#token?.accessToken, this.#refused].includes(stored.accessToken)) {
      this.#token = stored;
      return stored;
    }
    const token = await this.#fetch(request);
    this.#token = token;
    await this.#auth.store?.set(key, token);
    return token;
  }

  async #fetch({ transport, timeoutMs }: TokenRequest): Promise<StoredToken> {
    const wait = this.#notBefore - this.#clock.now();
    if (wait > 0) await this.#clock.sleep(wait);
    const startedAt = this.#clock.now();
    try {
      const response = await transport.send({
        method: tokenEndpoint.method,
        url: `${this.#baseUrl}${tokenEndpoint.path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: this.#auth.clientId,
          client_secret: this.#auth.clientSecret,
        }),
        timeoutMs,
      });
      return this.#read(response, startedAt);
    } catch (error) {
      this.#notBefore = this.#clock.now() + pauseAfterFailureMs;
      throw error;
    }
  }

  #read(response: TransportResponse, startedAt: number): StoredToken {
    const context = this.#context();
    if (response.status >= 300) throw tokenError(errorFrom(response, context));
    const answer = tokenEndpoint.output.safeParse(parsed(response.body));
    if (!answer.success || !/^[\x21-\x7e]+$/.test(answer.data.access_token)) {
      // The body may hold a token, so the error shows nothing of it.
      throw unusable({ ...response, body: '' }, context);
    }
    const { access_token: accessToken, expires_in } = answer.data;
    const seconds = expires_in && expires_in > 0 ? expires_in : tokenEndpoint.lifetimeSeconds;
    this.#lifetimeMs = seconds * 1000;
    return { accessToken, expiresAt: startedAt + this.#lifetimeMs };
  }

  #context(): CallContext {
    return {
      title: 'The request for an access token',
      scopes: [],
      now: this.#clock.now(),
      secrets: [this.#auth.clientSecret],
    };
  }
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** Which of these statuses answers wrong credentials is not shown, so all are read alike. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

function tokenError(error: ScreenAdvertisingError): ScreenAdvertisingError {
  if (!refusals.has(error.status)) return error;
  return new ProblemError(
    'authentication_failed',
    'The client ID or the client secret is wrong. Check that both were copied whole, belong together and to this base URL, and were not withdrawn.',
    { status: error.status ?? 401, problem: error.problem },
  );
}
