import {
  type ErrorCode,
  type ErrorDetails,
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** The service responded with an error status. `problem` is set when it sent a problem document. */
export class ProblemError extends ScreenAdvertisingError {
  static override readonly errorName = 'ProblemError';
  static override readonly isInstance: IsInstance<ProblemError> = isInstanceOf('ProblemError');
  declare readonly status: number;

  constructor(code: ErrorCode, message: string, details: ErrorDetails & { status: number }) {
    super(code, message, details);
  }
}
