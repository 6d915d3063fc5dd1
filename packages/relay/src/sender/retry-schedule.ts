const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before each retry. After the last one, about three days after the first attempt, it is dead. */
export const retryIntervals: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Deliveries that failed together must not come back together. */
const jitter = 0.1;
/** A subscriber that asks for more is asked again after a day all the same. */
const longestRetryAfterMs = 24 * hour;

/** Milliseconds until the next attempt after so many; undefined after the last one. */
export function retryDelay(
  tries: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number | undefined {
  const interval = retryIntervals[tries - 1];
  if (interval === undefined) return undefined;
  const wait = Math.round(interval * (1 + jitter * random()));
  return Math.max(wait, Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
}

/** The forms of a date that HTTP has, and Date.parse alone takes more. The last one names no zone. */
const dates = [/^[A-Z][a-z]{2,8}, .* GMT$/, /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/];

/** `Retry-After` in milliseconds, the longest of several; undefined without one that can be read. */
export function readRetryAfter(values: unknown, now: number): number | undefined {
  const asked = [values].flat().map((value) => readOne(value, now));
  const readable = asked.filter((wait) => wait !== undefined);
  return readable.length > 0 ? Math.max(...readable) : undefined;
}

function readOne(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * second;
  if (!dates.some((form) => form.test(text))) return undefined;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
