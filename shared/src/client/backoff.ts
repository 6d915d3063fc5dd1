import type { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';

/**
 * Milliseconds to wait after a failure, at least as long as the service asks. `nth` counts failures
 * from 1.
 */
export function pauseFor({ retryAfter = 0 }: ScreenAdvertisingError, nth: number): number {
  return Math.max(retryAfter * 1000, backoff(nth));
}

const firstPauseMs = 500;
const maxPauseMs = 20_000;

/** Exponential back-off with full jitter, in milliseconds. `attempt` counts from 1. */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
}
