import type { Problem } from '../errors/screen-advertising-error.ts';
import type { TransportResponse } from '../transport/transport.ts';

/** No limit of the service lasts longer, and a wrong header must not block a client for years. */
const maxSeconds = 86_400;

/**
 * Seconds to wait, as the service asks: the longer of the header `Retry-After` (seconds or an HTTP
 * date, read against the service's own `Date`) and the member `retry_after` (section 7). Negative
 * and unreadable values are ignored, and waits of more than a day count as a day.
 */
export function readRetryAfter(
  response: TransportResponse,
  problem: Problem | undefined,
  now: number,
): number | undefined {
  const asked = [
    fromHeader(response.headers['retry-after'], response.headers.date, now),
    seconds(problem?.retry_after),
  ].filter((value) => value !== undefined);
  return asked.length > 0 ? Math.min(maxSeconds, Math.max(...asked)) : undefined;
}

function fromHeader(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  if (value === undefined) return undefined;
  // A header sent twice arrives joined by a comma.
  const plain = value.split(',').map(seconds);
  if (plain.every((one) => one !== undefined)) return Math.max(...plain);
  // Date.parse accepts many texts as a date, even "-5"; an HTTP date names its time zone.
  const at = /GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const sent = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1000));
}

function seconds(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** Headers that usually name a request, the most specific first (assumption `requestId`). */
const names = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'cf-ray',
] as const;

/** One word of ASCII; an ID is not longer. */
const shape = /^[\x21-\x7e]{1,128}$/;

/** The ID under which the service, or a proxy before it, logged a request. */
export function readRequestId(
  headers: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const texts = names.map((name) => headers?.[name]?.trim());
  return texts.find((text) => text !== undefined && shape.test(text));
}
