import type * as z from 'zod/mini';
import type { Operation } from '../catalogue/operation.ts';
import type { Answer } from './answer.ts';

export interface CallOptions {
  /** Ends the call at any moment; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call, waiting for the allowance and retries included. */
  readonly deadlineMs?: number;
  /**
   * Create Coupon only: when a coupon with this code is there and has the same fields, it is the
   * result, not a conflict. For automations that may run again after a crash.
   */
  readonly adoptExisting?: boolean;
}

/**
 * Runs an operation. Gives the record untouched, or for lists `{ data, pagination }`.
 * Rejects with InputError, ProblemError, ResponseError, TransportError, OutcomeUnknownError or
 * RateLimitError; all are ScreenAdvertisingError.
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: CallOptions,
) => Promise<Answer<Op>>;
