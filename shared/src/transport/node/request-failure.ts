import { TransportError } from '../../errors/transport-error.ts';
import { networkFailure } from '../network-failure.ts';

/**
 * The error that a request rejects with. `isKept`: the connection had carried a response before and
 * none had begun this time, so the service had most likely closed it.
 */
export function requestFailure(error: unknown, url: string, isKept: boolean): unknown {
  if (error instanceof TransportError) return error;
  const known = networkFailure(error, url);
  if (known?.sent !== 'maybe' || !isKept) return known ?? error;
  const { message, code, cause } = known;
  return new TransportError(message, { code, sent: 'maybe', isStaleSocket: true, cause });
}
