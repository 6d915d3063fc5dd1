import { ScreenAdvertisingError } from './screen-advertising-error.ts';

/** An answer with a status of success, or a redirect, that cannot be used. */
export class ResponseError extends ScreenAdvertisingError {
  override readonly name = 'ResponseError';

  constructor(message: string, status: number) {
    super('unexpected_response', message, { status });
  }
}
