import { effectOf } from '../fault.ts';
import type { RelayCell } from './relay-cell.ts';

export interface Expected {
  /** Undefined where both are right. */
  readonly ends: 'works' | 'fails' | undefined;
  /** The code of the core's error. */
  readonly code?: string;
}

/** After these statuses the same request may succeed. */
const passing = new Set([408, 500, 502, 503, 504]);

const codes: Readonly<Record<number, string>> = {
  401: 'authentication_failed',
  403: 'missing_scope',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
};

/** How a request to the relay must end. All of them are safe to retry. */
export function expected(cell: RelayCell): Expected {
  if ('isRecordFault' in cell.fault || isEmptied(cell)) return { ends: undefined };
  const failure = failureOf(cell);
  const { tolerates } = cell.call;
  const isTolerated =
    tolerates === 'all' ||
    (tolerates === 'retryable' && failure?.mayPass) ||
    (tolerates === 'a rejected key' && failure?.code === 'authentication_failed');
  if (!failure || isTolerated || (cell.span === 'once' && failure.isRetried)) {
    return { ends: 'works' };
  }
  return { ends: 'fails', code: failure.code };
}

/** The first bytes of a compressed body may hold none of it, which is as good as an empty one. */
function isEmptied({ call, fault }: RelayCell): boolean {
  return call.needsNoBody === true && fault.name === 'gzip that stops half way';
}

interface Failure {
  readonly code: string;
  /** Whether a retry may help, and whether the call has the time for one. */
  readonly mayPass: boolean;
  readonly isRetried: boolean;
}

/** Undefined when the response can be used. */
function failureOf(cell: RelayCell): Failure | undefined {
  const { call, fault } = cell;
  const effect = effectOf({ fault, platform: call.platform });
  const { attempts, maxWaitMs, timeoutMs, deadlineMs = Number.POSITIVE_INFINITY } = call.patience;
  const failure = (code: string, mayPass = false, isInTime = true): Failure => {
    return { code, mayPass, isRetried: mayPass && isInTime && attempts > 1 };
  };
  switch (effect.kind) {
    case 'usable':
      return undefined;
    case 'unreachable':
      return failure('network_error', effect.mayPass);
    case 'redirect':
      return failure('unexpected_response');
    case 'unreadable':
      return call.needsNoBody && effect.isEmpty ? undefined : failure('unexpected_response');
    case 'lost':
      return failure(
        effect.code,
        effect.mayPass,
        effect.code !== 'timeout' || timeoutMs < deadlineMs,
      );
    case 'refused': {
      const { status, hasProblem, wait = 0 } = effect;
      if (status === 404 && hasProblem && call.mayBeGone) return undefined;
      const code =
        codes[status] ?? (status >= 500 || status === 408 ? 'service_error' : 'invalid_request');
      const isInTime = wait * 1000 < deadlineMs && wait * 1000 <= maxWaitMs;
      const mayPass = status === 429 || passing.has(status);
      return {
        code,
        mayPass,
        isRetried: mayPass && isInTime && (attempts > 1 || (status === 429 && maxWaitMs > 0)),
      };
    }
  }
}

/** The longest that a request may take with all its attempts. */
export function longestMs({ call, fault }: RelayCell): number {
  const { attempts, timeoutMs, maxWaitMs, deadlineMs = Number.POSITIVE_INFINITY } = call.patience;
  const each = Math.min(attempts * timeoutMs + maxWaitMs, deadlineMs);
  const ofPages = 'isRecordFault' in fault ? (call.listMs ?? 0) : 0;
  return (each + ofPages) * (call.times ?? 1);
}
