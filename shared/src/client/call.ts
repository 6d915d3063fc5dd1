import type * as z from 'zod/mini';
import type { Operation } from '../catalogue/operation.ts';
import type { Answer } from './answer.ts';

/** How long a call may take, and what may end it. */
export interface CallOptions {
  /** Ends the call at any moment; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call, waiting for the allowance and retries included. `pages` and
   * `items` make one call a page.
   */
  readonly deadlineMs?: number;
  /**
   * When the record that is to be created is there already, with the caller's own key and the same
   * fields, it is the result, not a conflict. For automations that may run again after a crash.
   */
  readonly adoptExisting?: boolean;
}

/**
 * Runs an operation. Gives the record untouched, or for lists `{ data, pagination }`.
 * Rejects with InputError, ProblemError, ResponseError, TransportError, OutcomeUnknownError,
 * RateLimitError or, for a deadline that cannot work, ConfigurationError; all are
 * ScreenAdvertisingError. What the transport or a token store throws besides passes through.
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: CallOptions,
) => Promise<Answer<Op>>;
