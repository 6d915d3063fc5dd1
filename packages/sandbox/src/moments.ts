const dayMs = 24 * 60 * 60 * 1000;
const date = /^\d{4}-\d{2}-\d{2}$/;
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The first millisecond that a text means, and the last: a date means its whole day in UTC.
 * The contract shows no format; these are the two that the sandbox reads. Undefined for others.
 */
export function readMoment(text: string): { first: number; last: number } | undefined {
  if (date.test(text)) {
    const first = Date.parse(`${text}T00:00:00Z`);
    const exists = !Number.isNaN(first) && new Date(first).toISOString().startsWith(text);
    return exists ? { first, last: first + dayMs - 1 } : undefined;
  }
  const match = dateTime.exec(text);
  if (!match) return undefined;
  const moment = Date.parse(match[3] ? text : `${text}Z`);
  return Number.isNaN(moment) ? undefined : { first: moment, last: moment };
}

export const momentFormats =
  'a date written YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z';
