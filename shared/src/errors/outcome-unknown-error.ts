import {
  type ErrorDetails,
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/**
 * The response to a change was lost, so the service may or may not have applied it. `isRetryable`
 * is true only when sending the same request again cannot apply it twice.
 */
export class OutcomeUnknownError extends ScreenAdvertisingError {
  static override readonly errorName = 'OutcomeUnknownError';
  static override readonly isInstance: IsInstance<OutcomeUnknownError> =
    isInstanceOf('OutcomeUnknownError');

  constructor(message: string, details: ErrorDetails) {
    super('outcome_unknown', message, details);
  }
}

/** The error of an operation; `outcome` follows its title in the message and says what to do. */
export function outcomeUnknown(
  title: string,
  cause: ScreenAdvertisingError,
  outcome: string,
  isRetryable: boolean,
): OutcomeUnknownError {
  const message = `${title} ${outcome}. Cause: ${cause.message}`;
  return new OutcomeUnknownError(message, {
    isRetryable,
    status: cause.status,
    problem: cause.problem,
    retryAfter: cause.retryAfter,
    headers: cause.headers,
    cause,
  });
}
