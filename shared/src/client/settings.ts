import { ConfigurationError } from '../errors/configuration-error.ts';
import type { RateLimit } from './fair-share.ts';
import type { RetryPolicy } from './retry.ts';

/** The numeric settings of a client. */
export interface Settings {
  readonly retry: RetryPolicy;
  /** Undefined when the limit is enforced elsewhere. */
  readonly limit: RateLimit | undefined;
  readonly timeoutMs: number;
}

const defaultRetry: RetryPolicy = { attempts: 4, maxWaitMs: 180_000 };
const noRetry: RetryPolicy = { attempts: 1, maxWaitMs: 0 };
const defaultLimit: RateLimit = { requests: 600, perMs: 60_000 };
const defaultTimeoutMs = 30_000;

/** Fills in the defaults of the options. Throws ConfigurationError for invalid numbers. */
export function settingsOf(options: {
  readonly retry?: false | Partial<RetryPolicy>;
  readonly rateLimit?: false | Partial<RateLimit>;
  readonly timeoutMs?: number;
}): Settings {
  const { retry: givenRetry, rateLimit, timeoutMs = defaultTimeoutMs } = options;
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
  if (value >= minimum && value <= longestTimerMs) return;
  throw refused(field, `a number from ${minimum} to ${longestTimerMs}`);
}

/** Checks an option that is a count. Throws ConfigurationError. */
export function count(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  const whole = `a number from 1 to ${Number.MAX_SAFE_INTEGER}`;
  throw refused(field, Number.isInteger(value) ? whole : 'a whole number greater than 0');
}

function refused(field: string, what: string): ConfigurationError {
  return new ConfigurationError(field, `${field} must be ${what}.`);
}

/** Trims text. Returns '' for anything else, such as an unset variable of an untyped caller. */
export function trimmed(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}
