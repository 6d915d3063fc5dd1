import { sql } from 'kysely';
import { CoalescedTask } from '../base/coalesced-task.ts';
import { retryOnConflict } from '../base/statements.ts';
import { reasonUnsubscribed } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import { finishErasures } from '../log/erase.ts';
import { pruneEventsBefore } from '../log/prune.ts';
import { resubscribeGraceMs } from '../subscribe/subscribe.ts';
import { switchOffSubscriptionsWithoutKey } from '../subscribe/switch-off.ts';
import { reportProblems } from './problems.ts';

const pollMs = 10_000;
const hour = 3_600_000;
const day = 24 * hour;
const pruneMs = hour;

/** Background work in batches. Several processes may run it at the same time. */
export class Maintenance {
  readonly #context: RelayContext;
  readonly #settling: readonly CoalescedTask[];
  readonly #pruning: CoalescedTask;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(context: RelayContext, retentionMs: number, publicUrl: string | undefined) {
    this.#context = context;
    this.#settling = [
      new CoalescedTask(async (mustStop) => {
        await switchOffSubscriptionsWithoutKey(context, mustStop);
        await settleEndedSubscriptions(context, mustStop);
        await endWrongTimes(context);
        await finishErasures(context, mustStop);
      }, context),
      new CoalescedTask((mustStop) => reportProblems(context, publicUrl, mustStop), context),
    ];
    this.#pruning = new CoalescedTask(async (mustStop) => {
      const before = (await provenNow(context)) - retentionMs;
      await pruneEventsBefore(context, { before, offBefore: before, mustStop });
    }, context);
  }

  start(): void {
    const { clock } = this.#context;
    const settle = () => this.settle();
    const pruneNow = () => void this.#pruning.wake();
    if (!clock.isFrozen) {
      this.#timers.push(
        setInterval(settle, pollMs).unref(),
        setInterval(pruneNow, pruneMs).unref(),
      );
    } else {
      clock.beforeAdvance(settle);
      clock.beforeAdvance(pruneNow);
    }
    settle();
    pruneNow();
  }

  /** Starts what requests have left to do. */
  settle(): void {
    for (const task of this.#settling) void task.wake();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const tasks = [...this.#settling, this.#pruning];
    await Promise.all(tasks.map((task) => task.stop()));
  }
}

/**
 * The present time, as far as events show it: an event is stored only if its signature is recent.
 * A machine that starts with its clock weeks ahead must not prune everything. So the time since the
 * newest event counts only as far as this process has seen it pass, and a day more.
 */
async function provenNow({ db, clock }: RelayContext): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT max(newest.received_at) AS at FROM source CROSS JOIN LATERAL (
      SELECT received_at FROM event WHERE source_number = source.number
      ORDER BY source_number DESC, position DESC LIMIT 1
    ) AS newest`.execute(db);
  const newest = rows[0]?.at?.getTime() ?? clock.now();
  return Math.min(clock.now(), newest + day + clock.elapsedMs);
}

const batchSize = 1_000;

/**
 * Moves what was attempted for a subscription, and never delivered, to the dead list once its
 * subscriber has been gone for ten minutes. One that replaces it delivers it, moved or not. The
 * subscriptions are locked first: one that comes back meanwhile keeps its deliveries.
 */
export async function settleEndedSubscriptions(
  { db, clock }: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  const before = new Date(clock.now() - resubscribeGraceMs);
  for (let count = batchSize; count === batchSize && !mustStop(); ) {
    count = await retryOnConflict(() =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ number: number }>`
          SELECT number FROM subscription
          WHERE off_reason = 'unsubscribed' AND stopped_at < ${before} AND EXISTS (
            SELECT FROM delivery WHERE subscription_number = number AND delivery.state = 'pending'
          )
          ORDER BY number LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED`.execute(transaction);
        const { numAffectedRows = 0n } = await sql`
          WITH late AS MATERIALIZED (
            SELECT source_number, position, subscription_number FROM delivery
            WHERE subscription_number = ANY (${rows.map(({ number }) => number)}::integer[])
              AND state = 'pending'
            ORDER BY position LIMIT ${batchSize} FOR NO KEY UPDATE
          )
          UPDATE delivery SET state = 'dead', reason = ${reasonUnsubscribed}, next_at = NULL FROM late
          WHERE (delivery.source_number, delivery.position, delivery.subscription_number)
            = (late.source_number, late.position, late.subscription_number)`.execute(transaction);
        return Number(numAffectedRows);
      }),
    );
  }
}

/** The longest pause of a subscriber that fails. */
const maxPauseMs = 60_000;
/** A day, with the jitter of a retry. */
const maxWaitMs = 27 * 3_600_000;

/** Ends pauses and waits that are longer than any: a process wrote them under a wrong clock. */
async function endWrongTimes({ db, clock }: RelayContext): Promise<void> {
  const now = clock.now();
  await db
    .updateTable('lease')
    .set({ paused_until: null })
    .where('paused_until', '>', new Date(now + maxPauseMs))
    .execute();
  await sql`
    UPDATE delivery SET next_at = ${new Date(now)} FROM (
      SELECT late.* FROM subscription CROSS JOIN LATERAL (
        SELECT source_number, position, subscription_number FROM delivery
        WHERE subscription_number = subscription.number AND delivery.state = 'pending'
          AND next_at > ${new Date(now + maxWaitMs)}
        ORDER BY next_at LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED
      ) AS late
    ) AS late
    WHERE (delivery.source_number, delivery.position, delivery.subscription_number)
      = (late.source_number, late.position, late.subscription_number)`.execute(db);
}
