import { tokenEndpoint } from '../catalogue/token.ts';
import type { Clock } from '../clock.ts';
import type { Transport } from '../transport/transport.ts';
import { abortable } from './abortable.ts';
import type { ClientCredentialsAuth, StoredToken } from './auth.ts';
import { requestToken } from './request-token.ts';

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
      const token = await requestToken({
        baseUrl: this.#baseUrl,
        auth: this.#auth,
        transport,
        timeoutMs,
      });
      this.#lifetimeMs = token.expiresAt - startedAt;
      return token;
    } catch (error) {
      this.#notBefore = this.#clock.now() + pauseAfterFailureMs;
      throw error;
    }
  }
}
