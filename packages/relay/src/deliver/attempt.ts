import { formatWebhookId, isRelayProblemEventName } from '@screen-advertising/core/webhooks';
import { deliveryId, publicId } from '../base/ids.ts';
import { decryptSecrets } from '../base/secrets.ts';
import type { DeliveryState } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import {
  ignoredReason,
  isSuccess,
  type PostResult,
  postDelivery,
  responseRecord,
  signaturesIn,
  signedDeliveryHeaders,
} from '../outbound/post.ts';
import { changeInTransaction } from '../subscribe/change.ts';
import { switchOff } from '../subscribe/switch-off.ts';
import type {
  DeliveryTask,
  DueDelivery,
  DueDeliveryReaders,
  DueSources,
  LeasedSubscription,
} from './read.ts';
import type { AttemptResult, ResultWithMoves, ResultWriter } from './record.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface AttemptTools {
  readonly context: RelayContext;
  readonly readers: DueDeliveryReaders;
  readonly writer: ResultWriter;
  readonly random: () => number;
  /** Whether another subscription gets its place, or another process its lease. */
  readonly mustYield: (lease: LeasedSubscription) => boolean;
}

/** A batch with fewer goes out in order. */
const backlogSize = 50;
/** After it, a sender looks for what is more urgent than the rest of its batch. */
const batchMs = second;
const minRead = 10;

/**
 * Attempts what is next for one subscription: one by one, or a few at a time for a backlog. It asks what
 * the claim found. If that is more than it attempts within a second, it asks for everything: so a new
 * event, a retry that became due, or a request by hand waits for a second and the attempts under way,
 * whatever else there is. From then on it reads twice as much as it got done, since the rest is read again.
 */
export async function attemptDueDeliveries(
  tools: AttemptTools,
  lease: LeasedSubscription,
): Promise<LeftForNextSender> {
  const { context, readers, writer, mustYield } = tools;
  const failures = new Failures(lease);
  const secrets = decryptSecrets(context, lease, 'token');
  const mustLeave = () => failures.endAttempts || mustYield(lease);
  const writes: Promise<void>[] = [];
  const write = (written: Omit<ResultWithMoves, 'lease'>) => {
    const done = writer.write({ lease, ...written });
    // Awaited before the lease is released, so mark a rejection until then as handled.
    done.catch(() => undefined);
    writes.push(done);
  };
  const deliver = async ({ due, after }: DeliveryTask) => {
    const { result, retryAfterMs } = await attempt(tools, lease, due, secrets);
    write({ result, moves: after() });
    failures.note({ status: result.status, retryAfterMs, now: context.clock.now() });
    await writer.room();
  };
  let sources: DueSources = lease;
  let most: number | undefined;
  for (let hasMore = true; hasMore && !mustLeave(); ) {
    const { tasks, moves, isCut, ...batch } = await readers.next(lease, sources, most);
    if (moves.length > 0) write({ moves });
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt >= batchMs;
    // The concurrent workers share what is left.
    const waiting = tasks.values();
    let done = 0;
    const some = async () => {
      for (const task of waiting) {
        if (mustLeave() || (done > 0 && isOver())) return;
        done += 1;
        await deliver(task);
      }
    };
    const isBacklog = failures.hasNone && (tasks.length >= backlogSize || isCut);
    await Promise.all(Array.from({ length: isBacklog ? lease.maxConcurrency : 1 }, some));
    writer.flush();
    await Promise.all(writes.splice(0));
    hasMore = batch.hasMore || done < tasks.length;
    most = done < tasks.length ? Math.max(2 * done, minRead) : undefined;
    sources = { isBehind: true, hasRetry: true, hasJob: true };
  }
  const { offReason: reason } = failures;
  if (reason) {
    const { subscription, starts } = lease;
    const now = context.clock.now();
    await changeInTransaction(context, (transaction) =>
      switchOff(transaction, [subscription], { reason, now, starts }),
    );
  }
  return failures.left(context.clock.now());
}

async function attempt(
  { context, random }: AttemptTools,
  { source, subscription, starts, name, targetUrl }: LeasedSubscription,
  { position, event, type, attempts, attemptsSinceReplay, replays, nextAt, body }: DueDelivery,
  secrets: readonly string[],
): Promise<{ readonly result: AttemptResult; readonly retryAfterMs: number }> {
  const at = context.clock.now();
  // A person asked for it, which takes no step of the schedule.
  const scheduledAt = nextAt && nextAt.getTime() > at ? nextAt : undefined;
  const steps = scheduledAt ? attemptsSinceReplay : attemptsSinceReplay + 1;
  const number = attempts + 1;
  const id = formatWebhookId(publicId('evt', event), replays);
  const headers = signedDeliveryHeaders({ id, attempt: number, body, secrets, now: at });
  const posted = await postDelivery({ url: targetUrl, headers, body, outbound: context.outbound });
  const { status, durationMs, response } = posted;
  const { retryAfterMs, ...outcome } = classifyAttempt(posted, {
    attempts: steps,
    scheduledAt,
    now: context.clock.now(),
    random,
  });
  const { error, state, reason } = outcome;
  const delivery = deliveryId({ event, subscription });
  context.observer.attempted({
    ...{ delivery, type, to: name ?? URL.parse(targetUrl)?.host ?? '' },
    ...{ attempt: number, status, error, durationMs, state, reason },
  });
  const result = {
    ...{ source, position, subscription, starts, event, number, replays, status, durationMs },
    attemptsSinceReplay: steps,
    at: new Date(at),
    response: response
      ? responseRecord(response, [...secrets.flatMap(bothForms), ...signaturesIn(headers)])
      : null,
    ...outcome,
    // A dead delivery of a problem would cause the next one.
    isProblem: reason === 'retries_exhausted' && !isRelayProblemEventName(type),
  };
  return { result, retryAfterMs };
}

/** With and without its prefix: verifiers remove it. */
function bothForms(secret: string): readonly string[] {
  return [secret, secret.replace(/^whsec_/, '')];
}

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
const maxRetryAfterMs = day;

interface AttemptOutcome {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAt: Date | null;
  readonly error: string | null;
  /** How long the subscriber wants no request. */
  readonly retryAfterMs: number;
}

interface Judged {
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
function classifyAttempt(posted: PostResult, attempted: Judged): AttemptOutcome {
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
  posted: Pick<PostResult, 'response'>,
  { attempts, now, random }: Omit<Judged, 'scheduledAt'>,
): number | undefined {
  const interval = retryIntervals[attempts - 1];
  if (interval === undefined) return undefined;
  const wait = Math.round(interval * (1 + jitter * random()));
  return Math.max(wait, Math.min(readRetryAfter(posted, now) ?? 0, maxRetryAfterMs));
}

/** The date formats of HTTP; Date.parse alone accepts more. The last one names no time zone. */
const dates = [/^[A-Z][a-z]{2,8}, .* GMT$/, /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/];

/** `Retry-After` in milliseconds, the longest of several; undefined if none can be read. */
function readRetryAfter(
  { response }: Pick<PostResult, 'response'>,
  now: number,
): number | undefined {
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

/** A sender leaves these to the next one of the subscription. */
export interface LeftForNextSender {
  readonly failuresInARow: number;
  readonly failingSince: Date | null;
  readonly failedAt: Date | null;
  /** Since its subscriber fails. */
  readonly pausedUntil: Date | null;
}

const maxFailingMs = 5 * day;
/** Longer than the longest wait for a retry: in between there was nothing to deliver. */
const silenceMs = 2 * day;
/**
 * After this many failures in a row, nothing gets through, and one attempt at a time finds out when
 * it does again. A subscriber that responds may fail often without being down: at 50 % errors, ten
 * in a row are one in a thousand. One that does not respond costs up to 15 s an attempt.
 */
const failuresBeforePause = { responded: 10, silent: 3 };
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

interface Attempted {
  readonly status: number | null;
  /** How long the subscriber wants no request. */
  readonly retryAfterMs: number;
  readonly now: number;
}

/** How a subscriber fares: what its attempts say about the next ones. */
class Failures {
  #count: number;
  #since: number | undefined;
  #lastAt: number | undefined;
  /** How long it gets nothing, once this sender leaves it. */
  #pauseMs = 0;
  /** Why it gets nothing any more. */
  offReason: 'gone' | 'failing' | undefined;

  constructor({ failuresInARow, failingSince, failedAt }: LeasedSubscription) {
    this.#count = failuresInARow;
    this.#since = failingSince?.getTime();
    this.#lastAt = failedAt?.getTime();
  }

  get hasNone(): boolean {
    return this.#count === 0;
  }

  /** Whether no further attempt may start. */
  get endAttempts(): boolean {
    return this.#pauseMs > 0 || this.offReason !== undefined;
  }

  note({ status, retryAfterMs, now }: Attempted): void {
    if (isSuccess(status)) {
      this.#count = 0;
      this.#since = undefined;
      return;
    }
    this.#count += 1;
    const wasSilent = this.#lastAt !== undefined && now - this.#lastAt > silenceMs;
    // A wrong clock may have noted a time to come.
    const isKnown = this.#since !== undefined && this.#since <= now;
    if (!isKnown || wasSilent) this.#since = now;
    this.#lastAt = now;
    if (status === 410) this.offReason = 'gone';
    else if (now - (this.#since ?? now) >= maxFailingMs) this.offReason ??= 'failing';
    const wanted = Math.min(retryAfterMs, maxPauseMs);
    this.#pauseMs = Math.max(this.#pauseMs, wanted, pauseAfter(this.#count, status));
  }

  left(now: number): LeftForNextSender {
    const pauseMs = this.offReason === undefined ? this.#pauseMs : 0;
    return {
      failuresInARow: this.#count,
      failingSince: dateOf(this.#since),
      failedAt: dateOf(this.#lastAt),
      pausedUntil: pauseMs > 0 ? new Date(now + pauseMs) : null,
    };
  }
}

/** A subscriber that is down gets fewer and fewer attempts, but at least one a minute. */
function pauseAfter(failures: number, status: number | null): number {
  const { responded, silent } = failuresBeforePause;
  const excess = failures - (status === null ? silent : responded);
  return excess < 0 ? 0 : Math.min(firstPauseMs * 2 ** excess, maxPauseMs);
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}
