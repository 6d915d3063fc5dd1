import type { Clock } from '../clock.ts';
import { TransportError } from '../errors/error-classes.ts';
import { onAbort } from '../on-abort.ts';
import { noCallerLeft } from './shared-work.ts';

/** When a call must have ended. */
export interface Deadline {
  /** Clock time. */
  readonly at: number;
  /** The abort reason of the signal, once the time is up. */
  readonly reason: TransportError | undefined;
  /** Aborts with the caller's signal or at the deadline, so the call outlasts neither. */
  readonly signal: AbortSignal;
  /** Call this when the call has ended. */
  stop(): void;
}

/** The deadline ended a call before its request was sent, or before the response was complete. */
export function deadlineFailure(title: string, sent: 'no' | 'maybe'): TransportError {
  const what = sent === 'no' ? 'was not sent' : 'got no complete response';
  const remedy = 'Retry later, or allow more time.';
  return new TransportError(`${what} before the deadline of the call`, {
    code: 'timeout',
    sent,
    title,
    remedy,
  });
}

/** Starts the time of a call. `signal` may end the call sooner. */
export function startDeadline(
  title: string,
  deadlineMs: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Deadline {
  const call = new AbortController();
  const done = new AbortController();
  const leave = onAbort(signal, () => call.abort(signal?.reason));
  const deadline: Deadline & { reason: TransportError | undefined } = {
    at: clock.now() + deadlineMs,
    reason: undefined,
    signal: call.signal,
    stop() {
      done.abort(noCallerLeft);
      leave();
    },
  };
  clock.sleep(deadlineMs, done.signal).then(
    () => {
      deadline.reason = deadlineFailure(title, 'maybe');
      call.abort(deadline.reason);
    },
    () => undefined,
  );
  return deadline;
}
