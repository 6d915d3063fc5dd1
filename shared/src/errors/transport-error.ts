import { ScreenAdvertisingError } from './screen-advertising-error.ts';

export interface TransportFailure {
  readonly code: 'network_error' | 'timeout';
  /** `no` when the service cannot have received the request, such as a refused connection. */
  readonly sent: 'no' | 'maybe';
  /** `false` when trying again cannot help, such as with a certificate that is not trusted. */
  readonly isRetryable?: boolean;
  /** A kept connection had been closed by the service before this request reached it. */
  readonly isStaleSocket?: boolean;
  readonly cause?: unknown;
}

/** No answer came. Transports throw it; the client decides whether to try again. */
export class TransportError extends ScreenAdvertisingError {
  override readonly name = 'TransportError';
  declare readonly code: 'network_error' | 'timeout';
  readonly sent: 'no' | 'maybe';
  readonly isStaleSocket: boolean;

  constructor(message: string, failure: TransportFailure) {
    const { code, sent, isRetryable = true, isStaleSocket = false, cause } = failure;
    super(code, message, { isRetryable, cause });
    this.sent = sent;
    this.isStaleSocket = isStaleSocket;
  }
}
