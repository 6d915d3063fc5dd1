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

/** `Retry-After` in milliseconds, in both of its forms; undefined for anything else. */
export function readRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  // Only the form of a date that HTTP has: Date.parse takes much more.
  const date = /^[A-Z][a-z]{2,8}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
