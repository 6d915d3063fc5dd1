import { ScreenAdvertisingError } from './screen-advertising-error.ts';

/** A redirect, or a response with a success status, that cannot be used. */
export class ResponseError extends ScreenAdvertisingError {
  override readonly name = 'ResponseError';

  constructor(message: string, status: number) {
    super('unexpected_response', message, { status });
  }
}
