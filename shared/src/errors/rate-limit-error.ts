import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** The rate limit is reached, and the deadline ends before the next slot. Nothing was sent. */
export class RateLimitError extends ScreenAdvertisingError {
  static override readonly errorName = 'RateLimitError';
  static override readonly isInstance: IsInstance<RateLimitError> = isInstanceOf('RateLimitError');

  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    super('rate_limited', `Rate limit reached. Retry in ${seconds} s.`, {
      isRetryable: true,
      retryAfter: seconds,
    });
  }
}
