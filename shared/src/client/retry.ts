/** How often, and for how long, a failed call is retried. */
export interface RetryPolicy {
  /** Attempts per call, including the first. A 429 is free, since nothing was processed. */
  readonly attempts: number;
  /** Milliseconds that one call may spend in total on waiting after a 429 or a failure. */
  readonly maxWaitMs: number;
}

const firstPauseMs = 500;
const longestPauseMs = 20_000;

/** Exponential back-off with full jitter, in milliseconds. `attempt` counts from 1. */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Statuses after which the same request may succeed: 408 and those of overloaded proxies. */
export const retryableStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);
