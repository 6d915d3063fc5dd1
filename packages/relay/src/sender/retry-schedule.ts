const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before each retry. About three days after the first attempt, a delivery is dead. */
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

/** Deliveries that failed together must not be retried together. */
const jitter = 0.1;
/** A subscriber that asks for a longer wait is still retried after a day. */
const longestRetryAfterMs = 24 * hour;

/** Milliseconds until the next attempt after `tries` attempts; undefined after the last one. */
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

/** The date formats of HTTP; Date.parse alone accepts more. The last one names no time zone. */
const dates = [/^[A-Z][a-z]{2,8}, .* GMT$/, /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/];

/** `Retry-After` in milliseconds, the longest of several; undefined if none can be read. */
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
