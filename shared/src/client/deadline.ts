import type { Clock } from '../clock.ts';
import { TransportError } from '../errors/transport-error.ts';
import { notNeeded } from './shared-work.ts';

/** When a call must have ended. */
export interface Deadline {
  /** Clock time; infinite when the caller set none. */
  readonly at: number;
  /** What the call's signal aborted with when that time came. */
  readonly reason: TransportError | undefined;
}

/** The deadline ended a call: before its request was sent, or before the answer was complete. */
export function deadlineFailure(title: string, sent: 'no' | 'maybe'): TransportError {
  const what = sent === 'no' ? 'was not sent' : 'was not answered completely';
  const words = `${title} ${what} within the deadline of the call. Try again later, or allow more time.`;
  return new TransportError(words, { code: 'timeout', sent });
}

/**
 * Runs `work` under one signal for both the caller's abort and the deadline, so that nothing the
 * work waits for outlasts either. Without a deadline it is the caller's own signal.
 */
export async function withinDeadline<T>(
  options: {
    title: string;
    clock: Clock;
    signal: AbortSignal | undefined;
    deadlineMs: number | undefined;
  },
  work: (deadline: Deadline, signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { title, clock, signal, deadlineMs } = options;
  if (deadlineMs === undefined) {
    return work({ at: Number.POSITIVE_INFINITY, reason: undefined }, signal);
  }
  const call = new AbortController();
  const done = new AbortController();
  const abort = (): void => call.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const deadline: { at: number; reason: Deadline['reason'] } = {
    at: clock.now() + deadlineMs,
    reason: undefined,
  };
  clock.sleep(deadlineMs, done.signal).then(
    () => {
      deadline.reason = deadlineFailure(title, 'maybe');
      call.abort(deadline.reason);
    },
    () => undefined,
  );
  try {
    return await work(deadline, call.signal);
  } finally {
    done.abort(notNeeded);
    signal?.removeEventListener('abort', abort);
  }
}
