import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** A redirect, or a response with a success status, that cannot be used. */
export class ResponseError extends ScreenAdvertisingError {
  static override readonly errorName = 'ResponseError';
  static override readonly isInstance: IsInstance<ResponseError> = isInstanceOf('ResponseError');

  constructor(message: string, status: number, headers?: Readonly<Record<string, string>>) {
    super('unexpected_response', message, { status, headers });
  }
}
