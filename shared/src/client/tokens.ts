import { noCallerLeftReason, unlessAborted } from '../abort.ts';
import { scopes as scopeList, tokenEndpointWithoutSchemas } from '../catalogue/operation.ts';
import { type Clock, currentTimeMs } from '../clock.ts';
import { ProblemError, ResponseError } from '../errors/error-classes.ts';
import { noteFailedCall, ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord, parseJsonOr } from '../json.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { errorFromResponse, isProblemDocument, servicePeer } from './error-from-response.ts';
import { type AttemptHook, callHook } from './options.ts';
import { ClientRateLimiter } from './rate-limit.ts';
import { createRedact } from './redact.ts';
import { acceptHeader, buildRequest } from './request.ts';

/** What a client ID and secret need to get tokens. */
export interface ClientCredentials {
  /** Public name of the access. */
  readonly clientId: string;
  /** Password of the access. It is a secret. */
  readonly clientSecret: string;
  /** Keeps the token beyond the process. Default: memory alone. */
  readonly store?: TokenStore;
  /** Called with what the store fails with. Default: that is ignored. */
  readonly onStoreError?: (error: unknown) => void;
}

/** An access token as a `TokenStore` keeps it. It is a secret. */
export interface StoredToken {
  /** What the header `authorization` carries. */
  readonly accessToken: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly expiresAt: number;
  /** The scopes that the service granted, in its own words. */
  readonly scope?: string | undefined;
}

/**
 * Keeps tokens beyond the process, or shares them between processes. When it fails, the client
 * continues without it.
 */
export interface TokenStore {
  /** `key` names the base URL and the client ID, and holds no secret. */
  get(key: string): Promise<StoredToken | undefined>;
  /** Keeps the token under this key, over an older one. */
  set(key: string, token: StoredToken): Promise<void>;
}

const printable = /^[\x21-\x7e]+$/;

/** Whether a header can carry the token. Other characters would break the request or add to it. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && printable.test(value);
}

/** Tokens this close to their expiry are renewed: a request may wait for a slot so long. */
const safetyMs = 60_000;
/** How often the store is read while waiting for another process. */
const rereadMs = 100;
const perMs = 60_000;
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
  readonly #limiter: ClientRateLimiter;
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
    this.#limiter = new ClientRateLimiter(
      { requests: tokenEndpointWithoutSchemas.requestsPerMinute, perMs },
      clock,
    );
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
      // A token that cannot be renewed is used until it expires.
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
    const knownScopes: readonly string[] = scopeList;
    const granted = scope?.split(/[\s,]+/) ?? [];
    // Any other word may stand for several scopes.
    const isKnown = granted.length > 0 && granted.every((one) => knownScopes.includes(one));
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
    const leftMs = expiresAt - currentTimeMs(this.#clock);
    const endsAt = this.#clock.now() + leftMs;
    const renewAt = endsAt - Math.min(safetyMs, leftMs / 10);
    this.#token = { accessToken, renewAt, endsAt, requestedAt, scope };
    return accessToken;
  }

  /** Whether the next request may be sent before the caller gives up. */
  #canWait({ latest = Number.POSITIVE_INFINITY }: Pick<TokenRequest, 'latest'>): boolean {
    return (this.#failure?.until ?? 0) <= Math.max(latest, this.#clock.now());
  }

  /** A store that fails, or takes too long, costs a token request, not the call. */
  async #stored<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const done = new AbortController();
    const late = this.#clock.sleep(storeMs, done.signal).then(() => {
      throw new Error(`The store took longer than ${storeMs} ms.`);
    });
    try {
      return await Promise.race([late, (async () => work())()]);
    } catch (error) {
      callHook(this.#auth.onStoreError, error);
      return undefined;
    } finally {
      done.abort(noCallerLeftReason);
    }
  }

  /** Another process may have stored a token that stays valid for a while. */
  #isUsable({ accessToken, expiresAt }: StoredToken): boolean {
    const isFresh = expiresAt - currentTimeMs(this.#clock) > safetyMs;
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
  // Wrong credentials fail at once for so long, and are then sent again within the limit.
  const pauseAfterFailureMs = perMs / tokenEndpointWithoutSchemas.requestsPerMinute;
  return Math.max(pauseAfterFailureMs, (retryAfter ?? 0) * 1000);
}

/**
 * Work that several callers wait for. A caller that aborts does not affect the others; when the
 * last one leaves, the work is stopped.
 */
class SharedWork<T> {
  readonly #stop = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#result = start(this.#stop.signal);
  }

  /** True once the last caller has left, when it is too late to join. */
  get isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves with the result of the work; rejects with the signal's reason if it aborts first. */
  join(signal: AbortSignal | undefined): Promise<T> {
    this.#callers += 1;
    // Not async: a stack of ten lines has one more for the caller of the client.
    return unlessAborted(this.#result, signal).finally(() => {
      this.#callers -= 1;
      if (this.#callers === 0) this.#stop.abort(noCallerLeftReason);
    });
  }
}

/** A store that takes longer, in milliseconds, has failed. */
const storeMs = 1000;

interface TokenRequestOptions {
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
  const { method, path } = tokenEndpointWithoutSchemas;
  const sentAt = clock.now();
  let token: StoredToken | undefined;
  let failure: ScreenAdvertisingError | undefined;
  try {
    token = await fetchToken(options);
    return token;
  } catch (error) {
    if (ScreenAdvertisingError.isInstance(error)) {
      failure = error;
      noteFailedCall(error, { operation: 'token', attempts: 1 });
    }
    throw error;
  } finally {
    callHook(options.onAttempt, {
      operation: 'token',
      attempt: 1,
      method,
      path,
      status: token ? tokenEndpointWithoutSchemas.successStatus : failure?.status,
      durationMs: clock.now() - sentAt,
      waitMs: 0,
      error: failure,
    });
  }
}

async function fetchToken(options: TokenRequestOptions): Promise<StoredToken> {
  const { baseUrl, auth, transport, timeoutMs, signal, secrets = [], userAgent } = options;
  const { clientId, clientSecret } = auth;
  const startedAt = currentTimeMs(transport.clock);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const headers = { ...acceptHeader, ...(userAgent && { 'user-agent': userAgent }) };
  const request = buildRequest(baseUrl, tokenEndpointWithoutSchemas, credentials, headers);
  const response = await transport.send({ ...request, timeoutMs, ...(signal && { signal }) });
  if (response.status >= 300) {
    const now = currentTimeMs(transport.clock);
    const redact = createRedact([clientSecret, ...secrets]);
    const context = { peer: servicePeer, title, path: '', scopes: [], now, redact };
    throw explained(errorFromResponse(quotableOf(response), context));
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
  const seconds =
    Number(expires_in) > 0 ? Number(expires_in) : tokenEndpointWithoutSchemas.lifetimeSeconds;
  const expiresAt = startedAt + seconds * 1000;
  return { accessToken, expiresAt, ...(typeof scope === 'string' && { scope }) };
}

/** The other side got a secret and deals with tokens, so only text written for people is kept. */
function quotableOf(response: TransportResponse): TransportResponse {
  const json = parseJsonOr(response.body, undefined);
  const { detail, retry_after } = isRecord(json) ? json : {};
  const words = JSON.stringify({ detail, retry_after });
  const isOwn = isProblemDocument(response, json);
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
