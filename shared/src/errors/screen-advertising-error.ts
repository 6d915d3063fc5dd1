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

/** What an error knows in addition to its code and summary. */
export interface ErrorDetails {
  /** What failed, such as `Create Coupon`. It precedes the summary. */
  readonly title?: string | undefined;
  /** What the other side said, as a sentence. */
  readonly said?: string | undefined;
  /** What to do now. */
  readonly remedy?: string | undefined;
  /** HTTP status, if the service responded. */
  readonly status?: number | undefined;
  /** The problem document (section 7), if the response was one. */
  readonly problem?: Problem | undefined;
  /** The beginning of a body that is not a problem document, without secrets: a proxy may have sent it. */
  readonly unproved?: string | undefined;
  /** True when the same call may succeed later without a change. */
  readonly isRetryable?: boolean;
  /** Seconds to wait before a retry, if the service asked for it. */
  readonly retryAfter?: number | undefined;
  /** Headers of the response, without secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The ID of the request, if a header names one. */
  readonly requestId?: string | undefined;
  /** What led to the error. */
  readonly cause?: unknown;
}

const marker = Symbol.for('screen-advertising.error');

/** Narrows to one class. Needs no `this`, so that `errors.filter(ProblemError.isInstance)` works. */
export type IsInstance<Kind> = (error: unknown) => error is Kind;

/** The check for the class with this name; without a name, for every error of this package. */
export function isInstanceOf<Kind>(errorName?: string): IsInstance<Kind> {
  const isKind = (error?: Partial<ScreenAdvertisingError> | null) =>
    error?.[marker] === true && (!errorName || error.name === errorName);
  return isKind as IsInstance<Kind>;
}

/** Joins texts, each of which becomes a sentence. */
export function joinSentences(texts: readonly (string | false | undefined)[]): string {
  return texts
    .flatMap((text) => (text ? [/[.!?…]"?$/.test(text) ? text : `${text}.`] : []))
    .join(' ');
}

/**
 * Base of every error of this package. The message joins `summary`, `said`, `remedy`, and the
 * message of a cause that is such an error too.
 */
export class ScreenAdvertisingError extends Error {
  /** The name of the class, also in minified code. */
  static readonly errorName: string = 'ScreenAdvertisingError';
  /** The kind of failure, as a word to compare. */
  declare readonly code: ErrorCode;
  /** What failed, such as `Create Coupon`. Undefined when no operation did. */
  declare readonly title: string | undefined;
  /** What happened. Begins with the title, if there is one. */
  declare readonly summary: string;
  /** What the other side said, as a sentence. Undefined if it said nothing. */
  declare readonly said: string | undefined;
  /** What to do now. Undefined if the summary says it. */
  declare readonly remedy: string | undefined;
  /** HTTP status. Undefined if no response arrived. */
  declare readonly status: number | undefined;
  /** The problem document (section 7). Undefined if the response was none. */
  declare readonly problem: Problem | undefined;
  /**
   * The beginning of a body that is not a problem document, without secrets: a proxy may have sent it.
   * Undefined if there is none.
   */
  declare readonly unproved: string | undefined;
  /** True when the same call may succeed later without a change. */
  declare readonly isRetryable: boolean;
  /** Seconds to wait before a retry. Undefined if the service asked for no wait. */
  declare readonly retryAfter: number | undefined;
  /** Headers of the response, without secrets. Undefined if none arrived. */
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  /**
   * The ID of the request in the logs of the service, or of a proxy before it. Give it to the
   * Screen Advertising team. Undefined if the response names none.
   */
  declare readonly requestId: string | undefined;
  /** Such as `coupon.create`; `token` for a request of an access token; undefined outside a call. */
  declare readonly operation: string | undefined;
  /** Requests that were sent for the operation, 0 for none. Undefined outside a call. */
  declare readonly attempts: number | undefined;
  readonly [marker] = true;

  /** `summary` follows the title, if there is one. */
  constructor(code: ErrorCode, summary: string, details: ErrorDetails = {}) {
    const { title, said, remedy, cause } = details;
    const whole = title ? `${title} ${summary}` : summary;
    super(joinSentences([whole, said, remedy, causeText(cause)]), details);
    const own = { name: new.target.errorName, code, summary: whole };
    // `Error` has taken the cause of the details, which stays out of lists of members.
    Object.assign(this, { isRetryable: false }, details, own);
  }

  /** Whether an error is of this class, also across bundles that each hold a copy of it. */
  static readonly isInstance: IsInstance<ScreenAdvertisingError> = isInstanceOf();
}

function causeText(cause: unknown): string | false {
  return ScreenAdvertisingError.isInstance(cause) && `Cause: ${cause.message}`;
}

/**
 * For platforms: what led to an error, if it was an error of this package too. Beside a remedy it
 * says no other one, which may be the opposite.
 */
export function causeDescription({ cause, remedy }: ErrorDetails): string | false {
  const isSaid = remedy && ScreenAdvertisingError.isInstance(cause);
  return isSaid ? `Cause: ${joinSentences([cause.summary, cause.said])}` : causeText(cause);
}

/** Notes in an error which call it ended, unless an earlier call has. */
export function noteFailedCall(
  error: ScreenAdvertisingError,
  call: Pick<ScreenAdvertisingError, 'operation' | 'attempts'>,
): void {
  if (error.operation === undefined) Object.assign(error, call);
}
