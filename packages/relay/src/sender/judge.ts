import type { DeliveryState } from '../database/tables.ts';
import type { Posted } from './post.ts';
import { readRetryAfter, retryDelay } from './retry-schedule.ts';

export interface Verdict {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  readonly error: string | null;
  /** The subscriber asked for this pause, and it applies to the whole subscription. */
  readonly waitMs: number;
}

/**
 * Decides what an attempt does to its delivery. A 404 is an ordinary failure: n8n responds with it
 * during a restart.
 */
export function judge(
  { status, error, retryAfter }: Posted,
  { tries, now, random }: { tries: number; now: number; random: () => number },
): Verdict {
  if (status !== null && status >= 200 && status < 300) {
    return { state: 'delivered', reason: null, nextAt: null, error: null, waitMs: 0 };
  }
  const failure = error ?? `responded with status ${status}`;
  if (status === 410) {
    return { state: 'dead', reason: 'gone', nextAt: null, error: failure, waitMs: 0 };
  }
  const asked = readRetryAfter(retryAfter, now);
  const delay = retryDelay(tries, asked, random);
  if (delay === undefined) {
    return { state: 'dead', reason: 'retries_exhausted', nextAt: null, error: failure, waitMs: 0 };
  }
  const waitMs = asked === undefined ? 0 : Math.min(asked, delay);
  return { state: 'pending', reason: null, nextAt: new Date(now + delay), error: failure, waitMs };
}
