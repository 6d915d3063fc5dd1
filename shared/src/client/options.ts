import { refuseUnknownOptions } from '#habits';
import type { Clock } from '../clock.ts';
import { ConfigurationError } from '../errors/error-classes.ts';
import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { isRecord } from '../json.ts';
import type { ClientRateLimit, ClientRateLimitWithDefaults } from './rate-limit.ts';

/** The client or its transport sets them; others would break the request or cut its body. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'trailer',
  'te',
]);

/** Headers by name, or Fetch's `Headers`. */
export type HeaderFields = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** The headers of a caller, with lower-case names. Throws ConfigurationError. */
export function readHeaders(headers: HeaderFields = {}, field = 'headers'): Record<string, string> {
  if (typeof headers === 'object' && headers && !('then' in headers)) {
    const isIterable = Symbol.iterator in headers;
    const fields = isIterable
      ? [...(headers as Iterable<readonly [string, string]>)]
      : Object.entries(headers);
    const read = fields.map(([name, text]) => [String(name).toLowerCase(), text] as const);
    for (const [name] of read) {
      if (/[^\w.-]|^$/.test(name)) throw invalidOptionError(field, `have no name "${name}"`);
    }
    if (read.every(([name, text]) => !ownHeaders.has(name) && isPrintable(text))) {
      return Object.fromEntries(read);
    }
  }
  throw invalidOptionError(
    field,
    'be texts, without authorization, host, connection, and headers of the body',
  );
}

interface Parts {
  readonly transport?: { readonly send?: unknown; readonly clock?: Partial<Clock> } | undefined;
  readonly beforeRequest?: unknown;
  readonly onAttempt?: unknown;
}

/** Checks what an untyped caller may confuse, before it fails somewhere else. Throws ConfigurationError. */
export function checkOptionTypes({ transport, beforeRequest, onAttempt }: Parts): void {
  if (transport !== undefined && typeof transport?.send !== 'function') {
    const must = 'be the result of nodeTransport, fetchTransport or undiciTransport';
    throw invalidOptionError(
      'transport',
      must,
      'Pass your own fetch as fetchTransport({ fetch }).',
    );
  }
  if (transport && !(transport.clock?.now && transport.clock.sleep)) {
    throw invalidOptionError('transport', 'have a clock with the functions now and sleep');
  }
  for (const [name, hook] of Object.entries({ beforeRequest, onAttempt })) {
    if (hook !== undefined && typeof hook !== 'function')
      throw invalidOptionError(name, 'be a function');
  }
}

/** Whether a header can carry the text. */
export const isPrintable = (text: unknown): boolean =>
  typeof text === 'string' && /^[\x20-\x7e]+$/.test(text);

/** The error of an option with a wrong value. */
export function invalidOptionError(
  name: string,
  must: string,
  remedy?: string,
): ConfigurationError {
  return new ConfigurationError(name, `${name} must ${must}.`, remedy);
}

/** How often, and for how long, a failed call is retried. */
export interface RetryPolicy {
  /**
   * Attempts per call, including the first: with 1, the service carries out a change once at most.
   * A 429 and a refused token are free, since nothing was processed. Default: 4.
   */
  readonly attempts?: number;
  /**
   * Milliseconds that one call may spend in total on waiting after a 429 or a failure. Default:
   * 180,000.
   */
  readonly maxWaitMs?: number;
}

// Without `Pick`, `Omit` and `Partial`, which lose the texts of fields in TypeScript 7.

/** The options of a client that a call can have, too. */
export interface AttemptOptions {
  /**
   * Default: `{ attempts: 4, maxWaitMs: 180_000 }`. `false`: every failure is final, except that an
   * expired token is still renewed once. What a call leaves out is as in its client.
   */
  readonly retry?: false | RetryPolicy | undefined;
  /** Milliseconds for one attempt, from connecting to the last byte. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** The numeric options of a client. */
export interface NumericClientOptions extends AttemptOptions {
  /**
   * Default: 600 requests in 60,000 ms (section 8). Processes that share an access adapt
   * to each other; set `requests` if you know the share of this process. `false`: the limit
   * is enforced elsewhere, and a 429 does not pause other calls.
   */
  readonly rateLimit?: false | ClientRateLimit;
}

const defaultRetry: Required<RetryPolicy> = { attempts: 4, maxWaitMs: 180_000 };
const noRetry: Required<RetryPolicy> = { attempts: 1, maxWaitMs: 0 };
const defaultLimit: ClientRateLimitWithDefaults = { requests: 600, perMs: 60_000 };
const defaultTimeoutMs = 30_000;

/**
 * Fills in the defaults. `limit` is undefined when it is enforced elsewhere. Throws
 * ConfigurationError for invalid numbers.
 */
export function withDefaultSettings(options: NumericClientOptions): {
  readonly retry: Required<RetryPolicy>;
  readonly limit: ClientRateLimitWithDefaults | undefined;
  readonly timeoutMs: number;
} {
  const { retry: givenRetry, rateLimit, timeoutMs = defaultTimeoutMs } = options;
  if (givenRetry) refuseUnknownOptions(givenRetry, 'retry', ['attempts', 'maxWaitMs']);
  if (rateLimit) {
    refuseUnknownOptions(rateLimit, 'rateLimit', ['requests', 'perMs', 'maxConcurrent']);
  }
  const retry = givenRetry === false ? noRetry : { ...defaultRetry, ...givenRetry };
  checkCount('retry.attempts', retry.attempts);
  checkMilliseconds('retry.maxWaitMs', retry.maxWaitMs, 0);
  checkMilliseconds('timeoutMs', timeoutMs);
  const limit = rateLimit === false ? undefined : { ...defaultLimit, ...rateLimit };
  if (limit) {
    checkCount('rateLimit.requests', limit.requests);
    checkMilliseconds('rateLimit.perMs', limit.perMs);
    if (limit.maxConcurrent !== undefined)
      checkCount('rateLimit.maxConcurrent', limit.maxConcurrent);
  }
  return { retry, limit, timeoutMs };
}

/** Timers cannot run longer: 24.8 days. */
const maxTimerMs = 2 ** 31 - 1;

/** Checks an option in milliseconds. Throws ConfigurationError. */
export function checkMilliseconds(field: string, value: number, minimum = 1): void {
  if (typeof value === 'number' && value >= minimum && value <= maxTimerMs) return;
  throw invalidOptionError(field, `be a number from ${minimum} to ${maxTimerMs}`);
}

/** Checks an option that is a count. Throws ConfigurationError. */
export function checkCount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw invalidOptionError(field, `be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`);
}

/**
 * Requests per minute as a form or a variable holds them, which is named in the error; empty is the
 * default. Throws ConfigurationError.
 */
export function readRateLimit(given: unknown, field: string, label: string = field): number {
  const text = String(given ?? '').trim();
  if (text === '') return defaultLimit.requests;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const example = `such as ${defaultLimit.requests}`;
  throw new ConfigurationError(field, `${label} must be a whole number above 0, ${example}.`);
}

/** Trims text. Returns '' for anything else, such as an unset variable of an untyped caller. */
export function trimmedText(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}

/** One request that was sent, for logs and metrics. It holds no secret. */
export interface Attempt {
  /** Such as `coupon.create`; `token` for a request of an access token. */
  readonly operation: string;
  /** Counts from 1; above 1, this is a retry. */
  readonly attempt: number;
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The template, such as `/coupons/{code}`. */
  readonly path: string;
  /** Undefined when no response arrived. */
  readonly status: number | undefined;
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly durationMs: number;
  /** Milliseconds waited before it was sent: for a retry, the rate limit, or a token. */
  readonly waitMs: number;
  /** Why it failed. Undefined for a success, and when the caller canceled it. */
  readonly error: ScreenAdvertisingError | undefined;
}

/** Called after every request. */
export type AttemptHook = (attempt: Attempt) => void;

/** A request that is about to be sent, for a `RequestHook`. */
type UpcomingRequest = Pick<Attempt, 'operation' | 'attempt' | 'method' | 'path'> & {
  /** Lower-case names, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Returns headers to add to a request, such as `traceparent`, or to replace; none of those that the
 * client sets. It must not be an async function. What it throws ends the call.
 */
export type RequestHook = (request: UpcomingRequest) => HeaderFields | undefined;

/** Calls a hook. Whatever it throws is dropped, because logging must not fail a call. */
export function callHook<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    const result: unknown = hook?.(event);
    // Not `instanceof`: it may be a promise of another realm.
    if (isRecord(result) && 'then' in result) Promise.resolve(result).catch(() => undefined);
  } catch {
    // See above.
  }
}
