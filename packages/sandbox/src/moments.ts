const dayMs = 24 * 60 * 60 * 1000;
const date = /^\d{4}-\d{2}-\d{2}$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The first and last millisecond of a text: a date means its whole day in UTC. The contract shows
 * no format; the sandbox reads these two. Returns undefined for others.
 */
export function readMoment(text: string): { first: number; last: number } | undefined {
  if (date.test(text)) {
    const first = startOf(text);
    return first === undefined ? undefined : { first, last: first + dayMs - 1 };
  }
  const [, day, zone] = dateTime.exec(text) ?? [];
  if (day === undefined || startOf(day) === undefined) return undefined;
  const moment = Date.parse(zone ? text : `${text}Z`);
  return Number.isNaN(moment) ? undefined : { first: moment, last: moment };
}

/** Undefined for a nonexistent day, which Date.parse moves into the next month. */
function startOf(day: string): number | undefined {
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day)) return undefined;
  return start;
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
