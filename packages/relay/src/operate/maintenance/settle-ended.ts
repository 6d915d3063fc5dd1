import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import { retryConflict } from '../../log/database/retry-conflict.ts';
import { reasonUnsubscribed } from '../../log/database/stored-values.ts';
import { graceMs } from '../../subscribe/subscribe.ts';

const batchSize = 1_000;

/**
 * Moves what was attempted for a subscription, and never delivered, to the dead list once its
 * subscriber has been gone for ten minutes. One that replaces it delivers it, moved or not. The
 * subscriptions are locked first: one that comes back meanwhile keeps its deliveries.
 */
export async function settleEnded(
  { db, clock }: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  const before = new Date(clock.now() - graceMs);
  for (let count = batchSize; count === batchSize && !mustStop(); ) {
    count = await retryConflict(() =>
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

/** What a process wrote under a wrong clock holds no longer than what it would write now: it is due. */
export async function endWrongTimes({ db, clock }: RelayContext): Promise<void> {
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
