import { ScreenAdvertisingError } from './screen-advertising-error.ts';

export interface TransportFailure {
  readonly code: 'network_error' | 'timeout';
  /** `no` when the service cannot have received the request, such as a refused connection. */
  readonly sent: 'no' | 'maybe';
  /** A kept connection had been closed by the service before this request reached it. */
  readonly isStaleSocket?: boolean;
  readonly cause?: unknown;
}

/** No answer came. Transports throw it; the client decides whether to try again. */
export class TransportError extends ScreenAdvertisingError {
  override readonly name = 'TransportError';
  readonly sent: 'no' | 'maybe';
  readonly isStaleSocket: boolean;

  constructor(message: string, failure: TransportFailure) {
    super(failure.code, message, {
      isRetryable: true,
      ...('cause' in failure && { cause: failure.cause }),
    });
    this.sent = failure.sent;
    this.isStaleSocket = failure.isStaleSocket ?? false;
  }
}
