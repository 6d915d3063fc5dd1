import { isRecord } from '../json.ts';
import { checkNames, refused } from './check-options.ts';
import type { RateLimit } from './fair-share.ts';

/** How often, and for how long, a failed call is retried. */
export interface RetryPolicy {
  /**
   * Attempts per call, including the first. A 429 is free, since nothing was processed. Default: 4.
   */
  readonly attempts: number;
  /**
   * Milliseconds that one call may spend in total on waiting after a 429 or a failure. Default:
   * 180,000.
   */
  readonly maxWaitMs: number;
}

/** The numeric options of a client. */
export interface Settings {
  /**
   * Default: `{ attempts: 4, maxWaitMs: 180_000 }`. `false`: every failure is final, except that an
   * expired token is still renewed once.
   */
  readonly retry?: false | Partial<RetryPolicy> | undefined;
  /**
   * Default: 600 requests in 60,000 ms (section 8). Processes that share an access find their
   * shares automatically; set `requests` if you know the share of this process. `false`: the limit
   * is enforced elsewhere, and a 429 does not pause other calls.
   */
  readonly rateLimit?: false | Partial<RateLimit>;
  /** Milliseconds for one attempt, from connecting to the last byte. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
}

const defaultRetry: RetryPolicy = { attempts: 4, maxWaitMs: 180_000 };
const noRetry: RetryPolicy = { attempts: 1, maxWaitMs: 0 };
const defaultLimit: RateLimit = { requests: 600, perMs: 60_000 };
const defaultTimeoutMs = 30_000;

/**
 * Fills in the defaults. `limit` is undefined when it is enforced elsewhere. Throws
 * ConfigurationError for invalid numbers.
 */
export function settingsOf(options: Settings): {
  readonly retry: RetryPolicy;
  readonly limit: RateLimit | undefined;
  readonly timeoutMs: number;
} {
  const { retry: givenRetry, rateLimit, timeoutMs = defaultTimeoutMs } = options;
  checkGroup('retry', givenRetry, Object.keys(defaultRetry));
  checkGroup('rateLimit', rateLimit, [...Object.keys(defaultLimit), 'maxConcurrent']);
  const retry = givenRetry === false ? noRetry : { ...defaultRetry, ...givenRetry };
  count('retry.attempts', retry.attempts);
  milliseconds('retry.maxWaitMs', retry.maxWaitMs, 0);
  milliseconds('timeoutMs', timeoutMs);
  const limit = rateLimit === false ? undefined : { ...defaultLimit, ...rateLimit };
  if (limit) {
    count('rateLimit.requests', limit.requests);
    milliseconds('rateLimit.perMs', limit.perMs);
    if (limit.maxConcurrent !== undefined) count('rateLimit.maxConcurrent', limit.maxConcurrent);
  }
  return { retry, limit, timeoutMs };
}

/** Timers cannot run longer: 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Checks an option in milliseconds. Throws ConfigurationError. */
export function milliseconds(field: string, value: number, minimum = 1): void {
  if (typeof value === 'number' && value >= minimum && value <= longestTimerMs) return;
  throw refused(field, `be a number from ${minimum} to ${longestTimerMs}`);
}

/** Checks an option that is a count. Throws ConfigurationError. */
export function count(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  const whole = `be a number from 1 to ${Number.MAX_SAFE_INTEGER}`;
  throw refused(field, Number.isInteger(value) ? whole : 'be a whole number greater than 0');
}

function checkGroup(name: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || value === false) return;
  if (!isRecord(value)) throw refused(name, `be false or an object with ${known.join(', ')}`);
  checkNames(value, known, `${name}.`);
}

/** Trims text. Returns '' for anything else, such as an unset variable of an untyped caller. */
export function trimmed(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}
