import type { RelayContext } from '../../context.ts';
import { retryConflict } from '../../log/database/retry-conflict.ts';
import { reasonUnsubscribed } from '../../subscribe/dead-reasons.ts';
import { graceMs } from '../../subscribe/subscribe.ts';

const batchSize = 1_000;

/** Skips rows that are being written. */
const statement = `
WITH late AS MATERIALIZED (
  SELECT pending.* FROM subscription CROSS JOIN LATERAL (
    SELECT source_number, position, subscription_number FROM delivery
    WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
    ORDER BY delivery.next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ) AS pending
  WHERE subscription.off_reason = 'unsubscribed' AND subscription.stopped_at < $1 LIMIT ${batchSize}
)
UPDATE delivery SET state = 'dead', reason = '${reasonUnsubscribed}', next_at = NULL
FROM late
WHERE delivery.source_number = late.source_number AND delivery.position = late.position
  AND delivery.subscription_number = late.subscription_number`;

/**
 * Moves what was attempted for a subscription, and never delivered, to the dead list once its
 * subscriber has been gone for ten minutes. One that replaces it delivers it, moved or not.
 */
export async function settleEnded(
  { pool, clock }: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  while (!mustStop()) {
    const before = new Date(clock.now() - graceMs);
    const { rowCount } = await retryConflict(() => pool.query(statement, [before]));
    if ((rowCount ?? 0) < batchSize) return;
  }
}
