import type { Problem } from './problem.ts';

/** The kind of failure, as a word that programs can compare. */
export type ErrorCode =
  | 'invalid_configuration'
  | 'invalid_input'
  | 'authentication_failed'
  | 'missing_scope'
  | 'invalid_request'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'service_error'
  | 'unexpected_response'
  | 'network_error'
  | 'timeout'
  | 'outcome_unknown'
  | 'webhook_verification_failed';

export interface ErrorDetails {
  /** HTTP status, if the service responded. */
  readonly status?: number | undefined;
  /** The problem document (section 7), if the response was one. */
  readonly problem?: Problem | undefined;
  /** True when the same call may succeed later without a change. */
  readonly isRetryable?: boolean;
  /** Seconds to wait before a retry, if the service asked for it. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

const marker = Symbol.for('screen-advertising.error');

/** Base of every error of this package. The message says what happened and how to fix it. */
export class ScreenAdvertisingError extends Error {
  override readonly name: string = 'ScreenAdvertisingError';
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
  readonly isRetryable: boolean;
  readonly retryAfter: number | undefined;
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.problem = details.problem;
    this.isRetryable = details.isRetryable ?? false;
    this.retryAfter = details.retryAfter;
  }

  /** Also true across bundles that each hold a copy of this class. */
  static isInstance(error: unknown): error is ScreenAdvertisingError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}
