import type * as z from 'zod/mini';
import type { Operation } from '../catalogue/operation.ts';
import type { ResultOf } from './response.ts';

/** How long a call may take, and what may cancel it. */
export interface CallOptions {
  /** Cancels the call at any moment; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call, including retries and waiting for the rate limit. `pages` and
   * `items` make one call per page.
   */
  readonly deadlineMs?: number;
  /**
   * If the record to create already exists, with the caller's own key and the same fields, return
   * it instead of a conflict. For automations that may run again after a crash.
   */
  readonly adoptExisting?: boolean;
}

/**
 * Runs an operation. Resolves with the untouched record, or with `{ data, pagination }` for lists.
 * Rejects with InputError, ProblemError, ResponseError, TransportError, OutcomeUnknownError,
 * RateLimitError or, for a deadline that cannot work, ConfigurationError; all of them are
 * ScreenAdvertisingError. Anything else that the transport or a token store throws passes through.
 */
export type Call = <Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  options?: CallOptions,
) => Promise<ResultOf<Op>>;
