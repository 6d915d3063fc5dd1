import { type ErrorDetails, ScreenAdvertisingError } from './screen-advertising-error.ts';

/**
 * The answer to a change was lost, and whether the service applied it cannot be told.
 * `isRetryable` is true only when sending the same again cannot apply it twice.
 */
export class OutcomeUnknownError extends ScreenAdvertisingError {
  override readonly name = 'OutcomeUnknownError';

  constructor(message: string, details: ErrorDetails) {
    super('outcome_unknown', message, details);
  }
}

/** The error of an operation; `outcome` continues its title and says what to do. */
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
    cause,
  });
}
