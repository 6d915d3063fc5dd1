import { ScheduledClock } from '@screen-advertising/server-kit';
import * as z from 'zod';
import { ProblemResponseError } from '../http/problem-response-error.ts';

/** The sandbox's clock. All dates, expirations and retries of the sandbox follow it. */
export type SandboxClock = Pick<
  ClockWithinLimits,
  'now' | 'isFrozen' | 'freeze' | 'run' | 'advance'
>;

/**
 * While it runs, it keeps its distance from the machine's clock, also while the machine sleeps: a
 * receiver compares the time of a delivery with its own.
 */
export class ClockWithinLimits extends ScheduledClock {
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

const dayMs = 24 * 60 * 60 * 1000;
const date = z.iso.date();
const dateTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The first and last millisecond of a text: a date means its whole day in UTC. The contract shows
 * no format; the sandbox reads these two. Returns undefined for others.
 */
export function parseMomentRange(text: string): { first: number; last: number } | undefined {
  if (date.safeParse(text).success) {
    const first = Date.parse(text);
    return { first, last: first + dayMs - 1 };
  }
  const [, day, zone] = dateTime.exec(text) ?? [];
  // Date.parse moves a nonexistent day into the next month.
  if (!date.safeParse(day).success) return undefined;
  const moment = Date.parse(zone ? text : `${text}Z`);
  return Number.isNaN(moment) ? undefined : { first: moment, last: moment };
}

export const momentFormats =
  'a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z';

/** Signatures have no timestamps before 1970. */
const firstMoment = 0;
/** Signature timestamps and four-digit years last longer than any test. */
const lastMoment = Date.UTC(5000, 0, 1) - 1;

/** Whether the sandbox clock can show this moment, in milliseconds since 1970. */
export function isClockMoment(moment: number): boolean {
  return moment >= firstMoment && moment <= lastMoment;
}
