import { formatWebhookId, isRelayProblem } from '@screen-advertising/core/webhooks';
import type { RelayContext } from '../context.ts';
import { deliveryId, publicId } from '../database/ids.ts';
import type { OffReason } from '../database/stored-values.ts';
import { openSecrets } from '../secrets/open-secrets.ts';
import { change } from '../subscriptions/change.ts';
import { switchOff } from '../subscriptions/switch-off.ts';
import { isSuccess, post } from '../targets/post.ts';
import { requestHeaders, signaturesIn } from '../targets/request-headers.ts';
import { responseRecord } from '../targets/response-record.ts';
import { classifyAttempt } from './attempt-outcome.ts';
import type { AttemptWriter, Result } from './attempt-writer.ts';
import type { Lease, Leases, Left } from './leases.ts';
import { nextTasks, type Sources, type Task } from './next-tasks.ts';
import { type Places, slowAfterMs } from './places.ts';
import { batchSize } from './read-statements.ts';
import type { Readers } from './readers.ts';
import type { Due } from './work.ts';

export interface DrainTools {
  readonly context: RelayContext;
  readonly readers: Readers;
  readonly writer: AttemptWriter;
  readonly leases: Leases;
  readonly places: Places;
  readonly random: () => number;
  /** Aborts when the process stops: no further attempt starts. */
  readonly stop: AbortSignal;
}

const day = 24 * 3_600_000;
const longestFailingMs = 5 * day;
/** Longer than the longest wait for a retry: in between there was nothing to deliver. */
const silenceMs = 2 * day;
/**
 * After this many failures in a row, nothing gets through, and one attempt at a time finds out when
 * it does again. A subscriber that responds may fail often without being down: at 50 % errors, ten
 * in a row are one in a thousand. One that does not respond costs up to 15 s an attempt.
 */
const failuresBeforePause = { responded: 10, silent: 3 };
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Concurrent deliveries to a subscriber that allows them, accepts them and has more than one batch
 * waiting. More only while the process delivers to no other, since they slow down deliveries to others.
 */
const sharedWidth = 4;

/** A subscriber that is slow or fails gives its place back before it gets many. */
const slowBatchSize = 5;

/** Attempts what is next for one subscription: one by one, or a few at a time for a backlog. */
export async function drainSubscription(tools: DrainTools, lease: Lease): Promise<Left> {
  const { context, leases, places, stop, writer } = tools;
  let failures = lease.failuresInARow;
  let failingSince = lease.failingSince?.getTime();
  let failedAt = lease.failedAt?.getTime();
  let pauseMs = 0;
  let offReason: OffReason | undefined;
  const secrets = openSecrets(context, lease, 'token');
  const writes: Promise<void>[] = [];
  const write = (written: Parameters<AttemptWriter['write']>[0]) => {
    const done = writer.write(written);
    // Awaited before the lease is released, so mark a rejection until then as handled.
    done.catch(() => undefined);
    writes.push(done);
  };
  const written = async () => {
    writer.flush();
    await Promise.all(writes.splice(0));
  };
  const leave = async (): Promise<Left> => {
    await written();
    return {
      failuresInARow: failures,
      failedAt: failedAt === undefined ? null : new Date(failedAt),
      pausedUntil: pauseMs > 0 ? new Date(context.clock.now() + pauseMs) : null,
    };
  };
  const mustLeave = () =>
    pauseMs > 0 ||
    offReason !== undefined ||
    stop.aborted ||
    !leases.isHeld(lease) ||
    places.mustYield(lease);
  const deliver = async ({ due, after }: Task) => {
    const turnsSlow = setTimeout(() => places.responds(lease, true), slowAfterMs);
    const { result, retryAfterMs } = await attempt(tools, lease, due, secrets);
    clearTimeout(turnsSlow);
    const { status, durationMs } = result;
    if (durationMs < slowAfterMs) places.responds(lease, false);
    write({ result, moves: after() });
    const now = context.clock.now();
    if (isSuccess(status)) {
      failures = 0;
      if (failingSince !== undefined) await markFailing(context, lease, null);
      failingSince = undefined;
      return;
    }
    failures += 1;
    const wasSilent = failedAt !== undefined && now - failedAt > silenceMs;
    if (failingSince === undefined || wasSilent) {
      failingSince = now;
      await markFailing(context, lease, new Date(now));
    }
    failedAt = now;
    if (status === 410) offReason = 'gone';
    else if (now - failingSince >= longestFailingMs) offReason ??= 'failing';
    pauseMs = Math.max(
      pauseMs,
      Math.min(retryAfterMs, longestPauseMs),
      pauseAfter(failures, status),
    );
  };
  let left: Sources = lease;
  for (;;) {
    const most = places.isKnownSlow(lease) ? slowBatchSize : batchSize;
    const { tasks, moves, sources } = await nextTasks(tools.readers, lease, left, most);
    if (moves.length > 0) write({ moves });
    const isBacklog = failures === 0 && tasks.length === batchSize;
    // The concurrent workers share what is left.
    const waiting = tasks.values();
    const some = async (_: unknown, nth: number) => {
      for (const task of waiting) {
        if (mustLeave() || (nth >= sharedWidth && !places.isUnshared)) return;
        await deliver(task);
      }
    };
    const width = isBacklog ? lease.maxConcurrency : 1;
    await Promise.all(Array.from({ length: width }, some));
    if (offReason) {
      const reason = offReason;
      await written();
      await change(context, (transaction) =>
        switchOff(transaction, [lease.subscription], {
          reason,
          now: context.clock.now(),
          generation: lease.generation,
        }),
      );
      pauseMs = 0;
      return leave();
    }
    if (mustLeave()) return leave();
    await written();
    left = sources;
    const isDone = !left.isBehind && !left.hasRetry && !left.hasJob;
    if (isDone || places.free <= 0) return leave();
  }
}

async function attempt(
  { context, random }: DrainTools,
  lease: Lease,
  { position, event, type, attempts, attemptsSinceReplay, replays, nextAt, body }: Due,
  secrets: readonly string[],
): Promise<{ readonly result: Result; readonly retryAfterMs: number }> {
  const at = context.clock.now();
  // A person asked for it, which takes no step of the schedule.
  const scheduledAt = nextAt && nextAt.getTime() > at ? nextAt : undefined;
  const steps = scheduledAt ? attemptsSinceReplay : attemptsSinceReplay + 1;
  const id = formatWebhookId(publicId('evt', event), replays);
  const headers = requestHeaders({ id, attempt: attempts + 1, body, secrets, now: at });
  const posted = await post({ url: lease.targetUrl, headers, body, outbound: context.outbound });
  const { retryAfterMs, ...outcome } = classifyAttempt(posted, {
    attempts: steps,
    scheduledAt,
    now: context.clock.now(),
    random,
  });
  context.observer.attempted({
    delivery: deliveryId({ event, subscription: lease.subscription }),
    attempt: attempts + 1,
    status: posted.status,
    error: outcome.error,
    durationMs: posted.durationMs,
    state: outcome.state,
    reason: outcome.reason,
  });
  const result = {
    source: lease.source,
    position,
    event,
    subscription: lease.subscription,
    number: attempts + 1,
    attemptsSinceReplay: steps,
    replays,
    at: new Date(at),
    status: posted.status,
    durationMs: posted.durationMs,
    response: posted.response
      ? responseRecord(posted.response, [...secrets.flatMap(bothForms), ...signaturesIn(headers)])
      : null,
    ...outcome,
    // A dead delivery of a problem would cause the next one.
    isProblem: outcome.reason === 'retries_exhausted' && !isRelayProblem(type),
  };
  return { result, retryAfterMs };
}

/** With and without its prefix: verifiers remove it. */
function bothForms(secret: string): readonly string[] {
  return [secret, secret.replace(/^whsec_/, '')];
}

/** A subscriber that is down gets fewer and fewer attempts, but at least one a minute. */
function pauseAfter(failures: number, status: number | null): number {
  const { responded, silent } = failuresBeforePause;
  const excess = failures - (status === null ? silent : responded);
  return excess < 0 ? 0 : Math.min(firstPauseMs * 2 ** excess, longestPauseMs);
}

async function markFailing({ db }: RelayContext, lease: Lease, since: Date | null): Promise<void> {
  await db
    .updateTable('lease')
    .set({ failing_since: since })
    .where('subscription_number', '=', lease.subscription)
    .where('generation', '=', lease.generation)
    .execute();
}
