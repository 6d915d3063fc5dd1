import { scopes as scopeList } from '../catalogue/operation.ts';
import { bareTokenEndpoint } from '../catalogue/token.ts';
import { type Clock, timestampOf } from '../clock.ts';
import { ProblemError } from '../errors/error-classes.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { notify } from './attempt-hook.ts';
import { RateLimiter } from './rate-limit.ts';
import { requestToken, type TokenRequestOptions } from './request-token.ts';
import { fromStore, SharedWork } from './shared-work.ts';
import { type ClientCredentials, isBearerToken, type StoredToken } from './token-store.ts';

/** Tokens this close to their expiry are renewed: a request may wait for a slot so long. */
const safetyMs = 60_000;
/** How often the store is read while waiting for another process. */
const rereadMs = 100;
const limit = { requests: bareTokenEndpoint.requestsPerMinute, perMs: 60_000 };
/** Wrong credentials fail at once for so long, and are then sent again within the limit. */
const pauseAfterFailureMs = limit.perMs / limit.requests;
/** A token that is younger has not expired: a 403 then means that a scope is missing. */
const certainlyValidMs = 60_000;
/** While a scope keeps being refused, no further tokens are requested because of it. */
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
  readonly renewAt: number;
  readonly endsAt: number;
  /** When this process requested it; `-Infinity` for one from the store. */
  readonly requestedAt: number;
  readonly scope: string | undefined;
}

const scopeNames: ReadonlySet<string> = new Set(scopeList);

interface Failure {
  readonly error: unknown;
  /** Clock time before which no further token is requested. */
  readonly until: number;
}

/** Fetches a token with a client ID and secret once for all callers, and keeps it for its hour. */
export class TokenSource {
  readonly #auth: ClientCredentials;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  /** If the service refuses one token after another, token requests still stay within its limit. */
  readonly #limiter: RateLimiter;
  #token: Token | undefined;
  #refused: string | undefined;
  /** By scopes, the time of the last 403 that a new token did not prevent. */
  readonly #lacking = new Map<string, number>();
  #pending: SharedWork<string> | undefined;
  #failure: Failure | undefined;
  /**
   * Resolves when the store has the last token, or has failed. A call waits for it at its end, since
   * a function in the cloud stops with its response.
   */
  saved: Promise<unknown> | undefined;

  constructor(auth: ClientCredentials, baseUrl: string, clock: Clock) {
    this.#auth = auth;
    this.#baseUrl = baseUrl;
    this.#clock = clock;
    this.#limiter = new RateLimiter(limit, clock);
  }

  /**
   * Rejects with ProblemError (`authentication_failed` for wrong credentials), ResponseError or
   * TransportError, and with the signal's reason.
   */
  async get(request: TokenRequest): Promise<string> {
    request.signal?.throwIfAborted();
    const token = this.#token;
    const now = this.#clock.now();
    const isPaused = now < (this.#failure?.until ?? 0);
    if (token && now < (isPaused ? token.endsAt : token.renewAt)) return token.accessToken;
    if (this.#failure && !this.#canWait(request)) throw this.#failed();
    if (!this.#pending || this.#pending.isOver) {
      this.#pending = new SharedWork((signal) => this.#obtain({ ...request, signal }));
    }
    try {
      return await this.#pending.join(request.signal);
    } catch (error) {
      // What cannot be renewed is used to its end.
      const isValid = token && token === this.#token && this.#clock.now() < token.endsAt;
      if (!isValid || request.signal?.aborted) throw error;
      return token.accessToken;
    }
  }

  /** Records that the service refused this token, so that the next `get` returns another one. */
  refuse(accessToken: string): void {
    if (this.#token?.accessToken !== accessToken) return;
    this.#token = undefined;
    this.#refused = accessToken;
  }

  /**
   * Whether another token may help after a 403, for which the token may be too old or lack a scope.
   * `isRenewed`: this call has got another one already.
   */
  forbid(accessToken: string, scopes: readonly string[], isRenewed: boolean): boolean {
    const now = this.#clock.now();
    if (this.hasScope(accessToken, scopes) === false) return false;
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

  /** Whether the token has one of these scopes; undefined when its response did not say so. */
  hasScope(accessToken: string, scopes: readonly string[]): boolean | undefined {
    const { scope } = (this.#token?.accessToken === accessToken && this.#token) || {};
    const granted = scope?.split(/[\s,]+/) ?? [];
    // Any other word may stand for several scopes.
    const isKnown = granted.length > 0 && granted.every((one) => scopeNames.has(one));
    return isKnown && scopes.length > 0 ? scopes.some((one) => granted.includes(one)) : undefined;
  }

  async #obtain(request: TokenRequest): Promise<string> {
    const { store } = this.#auth;
    const key = `${this.#baseUrl} ${this.#auth.clientId}`;
    for (;;) {
      const stored = store && (await this.#stored(() => store.get(key)));
      if (stored && this.#isUsable(stored)) return this.#keep(stored, Number.NEGATIVE_INFINITY);
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
      this.saved = store && this.#stored(() => store.set(key, token));
      return token.accessToken;
    }
  }

  /** The last failure, with the seconds that are left until the next request. */
  #failed(): unknown {
    const { error, until = 0 } = this.#failure ?? {};
    if (!ProblemError.isInstance(error) || error.status !== 429) return error;
    const retryAfter = Math.ceil((until - this.#clock.now()) / 1000);
    const details = { ...error, retryAfter, remedy: `Retry in ${retryAfter} s.` };
    // The summary begins with the title.
    return new ProblemError(error.code, error.summary.slice(`${error.title} `.length), details);
  }

  #keep({ accessToken, expiresAt, scope }: StoredToken, requestedAt: number): string {
    const leftMs = expiresAt - timestampOf(this.#clock);
    const endsAt = this.#clock.now() + leftMs;
    const renewAt = endsAt - Math.min(safetyMs, leftMs / 10);
    this.#token = { accessToken, renewAt, endsAt, requestedAt, scope };
    return accessToken;
  }

  /** Whether the next request may be sent before the caller gives up. */
  #canWait({ latest = Number.POSITIVE_INFINITY }: Pick<TokenRequest, 'latest'>): boolean {
    return (this.#failure?.until ?? 0) <= Math.max(latest, this.#clock.now());
  }

  /** A store that fails costs a token request, not the call. */
  #stored<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    return fromStore(this.#clock, work).catch((error: unknown) => {
      notify(this.#auth.onStoreError, error);
      return undefined;
    });
  }

  /** Another process may have stored a token that stays valid for a while. */
  #isUsable({ accessToken, expiresAt }: StoredToken): boolean {
    const isFresh = expiresAt - timestampOf(this.#clock) > safetyMs;
    const isKnown = accessToken === this.#token?.accessToken || accessToken === this.#refused;
    return isFresh && !isKnown && isBearerToken(accessToken);
  }

  async #fetch({ latest: _latest, secrets = [], ...request }: TokenRequest): Promise<StoredToken> {
    const release = await this.#limiter.acquire({ signal: request.signal });
    const requestedAt = this.#clock.now();
    try {
      const token = await requestToken({
        ...request,
        baseUrl: this.#baseUrl,
        auth: this.#auth,
        secrets: [...secrets, this.#token?.accessToken ?? '', this.#refused ?? ''],
      });
      this.#keep(token, requestedAt);
      return token;
    } catch (error) {
      const isStopped = request.signal?.aborted;
      if (isStopped) throw error;
      this.#failure = { error, until: this.#clock.now() + pauseAfter(error) };
      throw this.#failed();
    } finally {
      release();
    }
  }
}

function pauseAfter(error: unknown): number {
  const retryAfter = ScreenAdvertisingError.isInstance(error) ? error.retryAfter : undefined;
  return Math.max(pauseAfterFailureMs, (retryAfter ?? 0) * 1000);
}
