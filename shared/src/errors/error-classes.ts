import {
  type ErrorDetails,
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** A base URL, credential or option that cannot work. Nothing was sent. */
export class ConfigurationError extends ScreenAdvertisingError {
  static override readonly errorName = 'ConfigurationError';
  static override readonly isInstance: IsInstance<ConfigurationError> =
    isInstanceOf('ConfigurationError');
  /** The option at fault, such as `baseUrl`. */
  declare readonly field: string;

  constructor(field: string, summary: string, remedy?: string) {
    super('invalid_configuration', summary, { remedy });
    this.field = field;
  }
}

/** One invalid field, and how to fix it. */
export interface InputIssue {
  /** The field's name, with dots for members: `lead_metadata.tags`. Empty for the whole input. */
  readonly field: string;
  /** What is wrong with it, and what it takes. Follows the field's name in a sentence. */
  readonly message: string;
}

/** Input that the contract does not allow. Nothing was sent. */
export class InputError extends ScreenAdvertisingError {
  static override readonly errorName = 'InputError';
  static override readonly isInstance: IsInstance<InputError> = isInstanceOf('InputError');
  /** Every invalid field, in the order of the input. */
  declare readonly issues: readonly InputIssue[];

  constructor(operationTitle: string, issues: readonly InputIssue[]) {
    const lines = issues.map(({ field, message }) => (field ? `${field} ${message}` : message));
    super('invalid_input', `was not sent: ${lines.join('; ')}`, { title: operationTitle });
    this.issues = issues;
  }

  /** Name of the first invalid field. */
  get field(): string | undefined {
    return this.issues[0]?.field;
  }
}

/** The rate limit is reached, and the deadline ends before the next slot. Nothing was sent. */
export class RateLimitWaitError extends ScreenAdvertisingError {
  static override readonly errorName = 'RateLimitWaitError';
  static override readonly isInstance: IsInstance<RateLimitWaitError> =
    isInstanceOf('RateLimitWaitError');

  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    super('rate_limited', 'Rate limit reached', {
      remedy: `Retry in ${seconds} s.`,
      isRetryable: true,
      retryAfter: seconds,
    });
  }
}

interface TransportFailure extends Pick<ErrorDetails, 'title' | 'remedy' | 'cause'> {
  readonly code: 'network_error' | 'timeout';
  /** `no` when the service cannot have received the request, such as a refused connection. */
  readonly sent: 'no' | 'maybe';
  /** `false` when a retry cannot help, such as for an untrusted certificate. */
  readonly isRetryable?: boolean;
}

/** No response arrived. Transports throw this error; the client decides whether to retry. */
export class TransportError extends ScreenAdvertisingError {
  static override readonly errorName = 'TransportError';
  static override readonly isInstance: IsInstance<TransportError> = isInstanceOf('TransportError');
  /** `timeout` when the response took too long, else `network_error`. */
  declare readonly code: 'network_error' | 'timeout';
  /** `no` when the service cannot have received the request, such as a refused connection. */
  declare readonly sent: 'no' | 'maybe';

  constructor(summary: string, failure: TransportFailure) {
    const { code, sent, isRetryable = true, ...details } = failure;
    super(code, summary, { ...details, isRetryable });
    this.sent = sent;
  }
}

/** A redirect, or a response with a success status, that cannot be used. */
export class ResponseError extends ScreenAdvertisingError {
  static override readonly errorName = 'ResponseError';
  static override readonly isInstance: IsInstance<ResponseError> = isInstanceOf('ResponseError');

  constructor(summary: string, details: ErrorDetails & { status: number }) {
    super('unexpected_response', summary, details);
  }
}

/** The service responded with an error status. `problem` is set when it sent a problem document. */
export class ProblemError extends ScreenAdvertisingError {
  static override readonly errorName = 'ProblemError';
  static override readonly isInstance: IsInstance<ProblemError> = isInstanceOf('ProblemError');
  /** HTTP status, 400 or above. */
  declare readonly status: number;
}

/**
 * The response to a change was lost, so the service may or may not have applied it. `isRetryable`
 * is true only when sending the same request again cannot apply it twice.
 */
export class OutcomeUnknownError extends ScreenAdvertisingError {
  static override readonly errorName = 'OutcomeUnknownError';
  static override readonly isInstance: IsInstance<OutcomeUnknownError> =
    isInstanceOf('OutcomeUnknownError');

  constructor(summary: string, details: ErrorDetails) {
    super('outcome_unknown', summary, details);
  }
}

/** What may have happened, and what to do. */
export interface UnknownOutcome {
  /** Follows the title of the operation. */
  readonly summary: string;
  readonly remedy: string;
  readonly isRetryable: boolean;
}

/** The error of an operation whose last attempt failed with `cause`. */
export function outcomeUnknown(
  title: string,
  cause: ScreenAdvertisingError,
  { summary, remedy, isRetryable }: UnknownOutcome,
): OutcomeUnknownError {
  const { status, problem, unproved, retryAfter, headers, requestId } = cause;
  const response = { status, problem, unproved, retryAfter, headers, requestId };
  return new OutcomeUnknownError(summary, { title, remedy, isRetryable, ...response, cause });
}
