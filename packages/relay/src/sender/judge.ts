import type { DeliveryState } from '../database/tables.ts';
import type { Posted } from './post.ts';
import { readRetryAfter, retryDelay } from './retry-schedule.ts';

export interface Verdict {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  readonly error: string | null;
  /** The whole subscription waits so long: it asked for it. */
  readonly waitMs: number;
}

/** What an attempt makes of its delivery. 404 is a failure like others: n8n answers it while it restarts. */
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
