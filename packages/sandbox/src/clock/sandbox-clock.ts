import { ScheduledClock } from '@screen-advertising/server-kit';
import { isClockMoment } from '../moments.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';

/** The sandbox's clock. All dates, expirations and retries of the sandbox follow it. */
export type SandboxClock = Pick<LimitedClock, 'now' | 'isFrozen' | 'freeze' | 'run' | 'advance'>;

/**
 * While it runs, it keeps its distance from the machine's clock, also while the machine sleeps: a
 * receiver compares the time of a delivery with its own.
 */
export class LimitedClock extends ScheduledClock {
  constructor(mode: 'running' | 'frozen', startAt: number) {
    super({ startAt, isFrozen: mode === 'frozen', ticks: () => Date.now() });
  }

  /** Up to the year 4999. Webhook retries that come due on the way run at their moment. */
  override advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || isClockMoment(this.now() + Math.max(0, ms))) {
      return super.advance(ms);
    }
    const detail = 'ms: the clock cannot advance past the year 4999.';
    return Promise.reject(new ProblemResponseError('invalid-parameter', detail));
  }
}
