import type { DeliveryState } from '../log/database/stored-values.ts';
import { ignoredReason, isSuccess, type Posted } from '../subscribe/targets/post.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before each retry. About three days after the first attempt, a delivery is dead. */
const retryIntervals: readonly number[] = [
  5 * second,
  30 * second,
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
const maxRetryAfterMs = 24 * hour;

export interface AttemptOutcome {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  readonly error: string | null;
  /** How long the subscriber wants no request. */
  readonly retryAfterMs: number;
}

interface Attempted {
  /** Attempts of the schedule since the last redelivery, this one included. */
  readonly attempts: number;
  /** When the schedule has the next one, for one that a person asked for before. */
  readonly scheduledAt: Date | undefined;
  readonly now: number;
  readonly random: () => number;
}

/**
 * Decides what an attempt does to its delivery. A 404 is an ordinary failure: n8n responds with it
 * during a restart.
 */
export function classifyAttempt(posted: Posted, attempted: Attempted): AttemptOutcome {
  const { status, error } = posted;
  const dead = { state: 'dead', nextAt: null, retryAfterMs: 0 } as const;
  if (isSuccess(status)) {
    const reason = ignoredReason(posted);
    return { ...dead, state: reason === null ? 'delivered' : 'ignored', reason, error: null };
  }
  const failure = error ?? `responded with status ${status}`;
  if (status === 410) return { ...dead, reason: 'gone', error: failure };
  if (attempted.scheduledAt) {
    const { scheduledAt: nextAt, now } = attempted;
    const retryAfterMs = readRetryAfter(posted, now) ?? 0;
    return { state: 'pending', reason: null, nextAt, error: failure, retryAfterMs };
  }
  const delay = retryDelay(posted, attempted);
  if (delay === undefined) return { ...dead, reason: 'retries_exhausted', error: failure };
  return {
    state: 'pending',
    reason: null,
    nextAt: new Date(attempted.now + delay),
    error: failure,
    retryAfterMs: Math.min(readRetryAfter(posted, attempted.now) ?? 0, delay),
  };
}

/** Milliseconds until the next attempt; undefined after the last one. */
function retryDelay(
  posted: Pick<Posted, 'response'>,
  { attempts, now, random }: Omit<Attempted, 'scheduledAt'>,
): number | undefined {
  const interval = retryIntervals[attempts - 1];
  if (interval === undefined) return undefined;
  const wait = Math.round(interval * (1 + jitter * random()));
  return Math.max(wait, Math.min(readRetryAfter(posted, now) ?? 0, maxRetryAfterMs));
}

/** The date formats of HTTP; Date.parse alone accepts more. The last one names no time zone. */
const dates = [/^[A-Z][a-z]{2,8}, .* GMT$/, /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/];

/** `Retry-After` in milliseconds, the longest of several; undefined if none can be read. */
function readRetryAfter({ response }: Pick<Posted, 'response'>, now: number): number | undefined {
  const waits = [response?.headers['retry-after']].flat().map((value) => readOne(value, now));
  const readable = waits.filter((wait) => wait !== undefined);
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
