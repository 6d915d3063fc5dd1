import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

export interface TransportFailure {
  readonly code: 'network_error' | 'timeout';
  /** `no` when the service cannot have received the request, such as a refused connection. */
  readonly sent: 'no' | 'maybe';
  /** `false` when a retry cannot help, such as for an untrusted certificate. */
  readonly isRetryable?: boolean;
  /** The service had closed a kept connection before this request reached it. */
  readonly isStaleSocket?: boolean;
  readonly cause?: unknown;
}

/** No response arrived. Transports throw this error; the client decides whether to retry. */
export class TransportError extends ScreenAdvertisingError {
  static override readonly errorName = 'TransportError';
  static override readonly isInstance: IsInstance<TransportError> = isInstanceOf('TransportError');
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
