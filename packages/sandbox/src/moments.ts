import * as z from 'zod';

const dayMs = 24 * 60 * 60 * 1000;
const date = z.iso.date();
const dateTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The first and last millisecond of a text: a date means its whole day in UTC. The contract shows
 * no format; the sandbox reads these two. Returns undefined for others.
 */
export function readMoment(text: string): { first: number; last: number } | undefined {
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
