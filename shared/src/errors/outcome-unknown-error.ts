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

/** The error of an operation by its title, with what to do. */
export function outcomeUnknown(
  title: string,
  cause: ScreenAdvertisingError,
  remedy: string,
  isRetryable: boolean,
): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `${title} got no clear response, ${remedy}. Cause: ${cause.message}`,
    {
      isRetryable,
      status: cause.status,
      problem: cause.problem,
      retryAfter: cause.retryAfter,
      cause,
    },
  );
}
