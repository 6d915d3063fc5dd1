import { readRequestId } from './request-id.ts';

/** RFC 7807 problem document as the service sends it (section 7); further members pass through. */
export interface Problem {
  /** URI of the kind of problem. */
  readonly type?: string;
  /** The problem in a few words. */
  readonly title?: string;
  /** HTTP status, as the document shows it. */
  readonly status?: number;
  /** What happened this time, in a sentence. */
  readonly detail?: string;
  /** Seconds to wait before a retry; only on 429. */
  readonly retry_after?: number;
  readonly [member: string]: unknown;
}

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

/** What an error knows in addition to its code and message. */
export interface ErrorDetails {
  /** HTTP status, if the service responded. */
  readonly status?: number | undefined;
  /** The problem document (section 7), if the response was one. */
  readonly problem?: Problem | undefined;
  /** True when the same call may succeed later without a change. */
  readonly isRetryable?: boolean;
  /** Seconds to wait before a retry, if the service asked for it. */
  readonly retryAfter?: number | undefined;
  /** Headers of the response, without secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What led to the error. */
  readonly cause?: unknown;
}

const marker = Symbol.for('screen-advertising.error');

/** Narrows to one class. Needs no `this`, so that `errors.filter(ProblemError.isInstance)` works. */
export type IsInstance<Kind> = (error: unknown) => error is Kind;

/** The check for the class with this name; without a name, for every error of this package. */
export function isInstanceOf<Kind>(errorName?: string): IsInstance<Kind> {
  return (error): error is Kind => {
    if (typeof error !== 'object' || error === null || !(marker in error)) return false;
    return errorName === undefined || ('name' in error && error.name === errorName);
  };
}

/** Base of every error of this package. The message says what happened and how to fix it. */
export class ScreenAdvertisingError extends Error {
  /** The name of the class, also in minified code. */
  static readonly errorName: string = 'ScreenAdvertisingError';
  /** The kind of failure, as a word to compare. */
  readonly code: ErrorCode;
  /** HTTP status. Undefined if no response arrived. */
  readonly status: number | undefined;
  /** The problem document (section 7). Undefined if the response was none. */
  readonly problem: Problem | undefined;
  /** True when the same call may succeed later without a change. */
  readonly isRetryable: boolean;
  /** Seconds to wait before a retry. Undefined if the service asked for no wait. */
  readonly retryAfter: number | undefined;
  /** Headers of the response, without secrets. Undefined if none arrived. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /**
   * The ID of the request in the logs of the service, or of a proxy before it. Give it to the
   * Screen Advertising team. Undefined if the response names none.
   */
  readonly requestId: string | undefined;
  /** Such as `coupon.create`; `token` for a request of an access token; undefined outside a call. */
  readonly operation: string | undefined;
  /** Requests that were sent for the operation, 0 for none. Undefined outside a call. */
  readonly attempts: number | undefined;
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.errorName;
    this.code = code;
    this.status = details.status;
    this.problem = details.problem;
    this.isRetryable = details.isRetryable ?? false;
    this.retryAfter = details.retryAfter;
    this.headers = details.headers;
    this.requestId = readRequestId(details.headers);
    this.operation = undefined;
    this.attempts = undefined;
  }

  /** Whether an error is of this class, also across bundles that each hold a copy of it. */
  static readonly isInstance: IsInstance<ScreenAdvertisingError> = isInstanceOf();
}

/** Notes in an error which call it ended, unless an earlier call has. */
export function noteCall(
  error: ScreenAdvertisingError,
  call: Pick<ScreenAdvertisingError, 'operation' | 'attempts'>,
): void {
  if (error.operation === undefined) Object.assign(error, call);
}
