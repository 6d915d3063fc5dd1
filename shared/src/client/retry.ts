import type { Operation } from '../catalogue/operation.ts';
import { count, milliseconds } from './option-values.ts';

/** How often, and for how long, a failed call is retried. */
export interface RetryPolicy {
  /** Tries of one call in all; a 429 does not count, since nothing was processed. */
  readonly attempts: number;
  /** Milliseconds that one call may spend waiting because the service asked for it or failed, in all. */
  readonly maxWaitMs: number;
}

const defaultRetry: RetryPolicy = { attempts: 4, maxWaitMs: 180_000 };
const noRetry: RetryPolicy = { attempts: 1, maxWaitMs: 0 };

/** Throws ConfigurationError for numbers that cannot work. */
export function retryPolicy(given: false | Partial<RetryPolicy> | undefined): RetryPolicy {
  if (given === false) return noRetry;
  const { attempts, maxWaitMs } = { ...defaultRetry, ...given };
  return {
    attempts: count('retry.attempts', attempts),
    maxWaitMs: milliseconds('retry.maxWaitMs', maxWaitMs, 0),
  };
}

const firstPauseMs = 500;
const longestPauseMs = 20_000;

/** Exponential back-off with full jitter, in milliseconds. `attempt` counts from 1. */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Whether the same request may be sent again after its answer was lost. */
export function isRepeatable({ repair }: Pick<Operation, 'repair'>): boolean {
  return repair !== 'none';
}

/** Statuses after which the same request may succeed (408 and those of overloaded proxies). */
export const retryableStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);

const capacity = 100;
const costOfRetry = 5;

/**
 * Keeps an outage from being answered with a storm: every retry costs, every success earns a
 * little back, and without credit a failure is final at once.
 */
export class RetryQuota {
  #credit = capacity;

  take(): boolean {
    if (this.#credit < costOfRetry) return false;
    this.#credit -= costOfRetry;
    return true;
  }

  earn(): void {
    this.#credit = Math.min(capacity, this.#credit + 1);
  }
}
