import { tokenEndpoint } from '../catalogue/token.ts';
import { type Clock, dateOf } from '../clock.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { notify } from './attempt-hook.ts';
import { type ClientCredentialsAuth, isBearerToken, type StoredToken } from './auth.ts';
import { RateLimiter } from './rate-limit.ts';
import { requestToken, type TokenRequestOptions } from './request-token.ts';
import { SharedWork } from './shared-work.ts';

/** Tokens this close to their expiry are no longer used: the request must still arrive in time. */
const safetyMs = 5_000;
/** From here on, a new token is fetched in the background while the old one is still in use. */
const refreshAheadMs = 60_000;
const allowance = { requests: tokenEndpoint.requestsPerMinute, perMs: 60_000 };
/** How often the store is read while waiting for another process. */
const rereadMs = 100;
/** Fetches after a failure are spaced so that they stay within the rate limit. */
const pauseAfterFailureMs = allowance.perMs / allowance.requests;
/** A token that is younger has not expired: a 403 then means that a scope is missing. */
const certainlyValidMs = 60_000;
/** While a scope keeps being refused, further tokens are not requested because of it. */
const lackingMs = 3_600_000;

/** Options of `TokenSource.get`. */
export interface TokenRequest extends Omit<TokenRequestOptions, 'baseUrl' | 'auth'> {
  /**
   * Clock time until which the caller waits after a failure; default: forever. When the next
   * request may only be sent later, `get` rejects with the last failure at once.
   */
  readonly latest?: number | undefined;
}

interface Token {
  readonly accessToken: string;
  /** Time of the injected clock, which setting the machine's clock does not change. */
  readonly expiresAt: number;
  /** When this process requested it; `-Infinity` for one from the store. */
  readonly requestedAt: number;
}

interface Failure {
  readonly error: unknown;
  /** Clock time before which no further token is requested. */
  readonly until: number;
}

/** Fetches a token with a client ID and secret once for all callers, and keeps it for its hour. */
export class TokenSource {
  readonly #auth: ClientCredentialsAuth;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  /** If the service refuses one token after another, token requests still stay within its limit. */
  readonly #limiter: RateLimiter;
  /** Makes several processes refresh at different times. */
  readonly #jitterMs: number = Math.random() * refreshAheadMs;
  #token: Token | undefined;
  #refused: string | undefined;
  /** By scopes, the time of the last 403 that a new token did not prevent. */
  readonly #lacking = new Map<string, number>();
  #lifetimeMs: number = tokenEndpoint.lifetimeSeconds * 1000;
  #pending: SharedWork<string> | undefined;
  #failure: Failure | undefined;

  constructor(auth: ClientCredentialsAuth, baseUrl: string, clock: Clock) {
    this.#auth = auth;
    this.#baseUrl = baseUrl;
    this.#clock = clock;
    this.#limiter = new RateLimiter(allowance, clock);
  }

  /**
   * Rejects with ProblemError (`authentication_failed` for wrong credentials), ResponseError or
   * TransportError, and with the signal's reason.
   */
  async get(request: TokenRequest): Promise<string> {
    request.signal?.throwIfAborted();
    const token = this.#token;
    const left = token ? token.expiresAt - this.#clock.now() : 0;
    if (!token || left <= Math.min(safetyMs, this.#lifetimeMs / 10)) return this.#renew(request);
    if (left <= Math.min(refreshAheadMs + this.#jitterMs, this.#lifetimeMs / 10)) {
      this.#refreshAhead(request);
    }
    return token.accessToken;
  }

  /** Records that the service refused this token, so the next `get` returns another one. */
  refuse(accessToken: string): void {
    if (this.#token?.accessToken !== accessToken) return;
    this.#token = undefined;
    this.#refused = accessToken;
  }

  /**
   * Records a 403, which may mean an expired token or a missing scope. True if another token may
   * help: the next `get` then returns it. `isRenewed` says that this call already got another one.
   */
  forbid(accessToken: string, scopes: readonly string[], isRenewed: boolean): boolean {
    const now = this.#clock.now();
    const key = scopes.join(' ');
    const { accessToken: current, requestedAt = now } = this.#token ?? {};
    const isYoung = current === accessToken && now - requestedAt < certainlyValidMs;
    if (isRenewed || isYoung || now - (this.#lacking.get(key) ?? -lackingMs) < lackingMs) {
      this.#lacking.set(key, now);
      return false;
    }
    this.refuse(accessToken);
    return true;
  }

  /** The old token still works, so a failure is reported only once the token has expired. */
  #refreshAhead(request: TokenRequest): void {
    const latest = this.#clock.now();
    this.#renew({ ...request, signal: undefined, latest }).catch(() => undefined);
  }

  async #renew(request: TokenRequest): Promise<string> {
    if (this.#failure && !this.#canWait(request)) throw this.#failure.error;
    if (!this.#pending || this.#pending.isOver) {
      this.#pending = new SharedWork((signal) => this.#obtain({ ...request, signal }));
    }
    return this.#pending.join(request.signal);
  }

  async #obtain(request: TokenRequest): Promise<string> {
    const { store } = this.#auth;
    const key = `${this.#baseUrl} ${this.#auth.clientId}`;
    for (;;) {
      const stored = await this.#unlessStoreFails(() => store?.get(key));
      if (stored && this.#isUsable(stored)) {
        const { accessToken } = stored;
        const expiresAt = this.#clock.now() + this.#left(stored);
        this.#token = { accessToken, expiresAt, requestedAt: Number.NEGATIVE_INFINITY };
        return accessToken;
      }
      const waitMs = (this.#failure?.until ?? 0) - this.#clock.now();
      if (waitMs > 0) {
        // Meanwhile another process may store a token.
        await this.#clock.sleep(store ? Math.min(waitMs, rereadMs) : waitMs, request.signal);
        continue;
      }
      const token = await this.#fetch(request).catch((error: unknown) => {
        // After a 429, another process is likely to store its token.
        const isLimited = ScreenAdvertisingError.isInstance(error) && error.status === 429;
        if (!store || !isLimited || !this.#canWait(request)) throw error;
      });
      if (!token) continue;
      await this.#unlessStoreFails(() => store?.set(key, token));
      return token.accessToken;
    }
  }

  /** Whether the next request may be sent before the caller gives up. */
  #canWait({ latest = Number.POSITIVE_INFINITY }: TokenRequest): boolean {
    return (this.#failure?.until ?? 0) <= Math.max(latest, this.#clock.now());
  }

  /** A store that fails costs a token request, not the call. */
  async #unlessStoreFails<Result>(
    work: () => Promise<Result> | undefined,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      notify(this.#auth.onStoreError, error);
      return undefined;
    }
  }

  #left({ expiresAt }: StoredToken): number {
    return expiresAt - dateOf(this.#clock);
  }

  /** Another process may have stored a token that stays valid for a while. */
  #isUsable(token: StoredToken): boolean {
    const { accessToken } = token;
    const isFresh = this.#left(token) > refreshAheadMs;
    const isKnown = accessToken === this.#token?.accessToken || accessToken === this.#refused;
    return isFresh && !isKnown && isBearerToken(accessToken);
  }

  async #fetch({ latest: _latest, secrets = [], ...request }: TokenRequest): Promise<StoredToken> {
    const { signal } = request;
    const release = await this.#limiter.acquire({ signal });
    const startedAt = this.#clock.now();
    const startedOn = dateOf(this.#clock);
    try {
      const token = await requestToken({
        ...request,
        baseUrl: this.#baseUrl,
        auth: this.#auth,
        secrets: [...secrets, this.#token?.accessToken ?? '', this.#refused ?? ''],
      });
      this.#lifetimeMs = token.expiresAt - startedOn;
      this.#token = {
        accessToken: token.accessToken,
        expiresAt: startedAt + this.#lifetimeMs,
        requestedAt: startedAt,
      };
      return token;
    } catch (error) {
      if (!signal?.aborted) this.#failure = { error, until: this.#clock.now() + pauseAfter(error) };
      throw error;
    } finally {
      release();
    }
  }
}

function pauseAfter(error: unknown): number {
  const retryAfter = ScreenAdvertisingError.isInstance(error) ? error.retryAfter : undefined;
  return Math.max(pauseAfterFailureMs, (retryAfter ?? 0) * 1000);
}
