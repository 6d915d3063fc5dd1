import type { RelayContext } from '../context.ts';
import { retryConflict } from '../database/retry-conflict.ts';

const batchSize = 1_000;

/**
 * Skips rows that are being written. The ORDER BY matches the index of due deliveries: without it,
 * a large backlog elsewhere makes each subscription read the whole table.
 */
const statement = `
WITH late AS MATERIALIZED (
  SELECT pending.*, subscription.off_reason FROM subscription CROSS JOIN LATERAL (
    SELECT source_number, event_id, subscription_number FROM delivery
    WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
    ORDER BY delivery.next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ) AS pending
  WHERE subscription.state = 'off' LIMIT ${batchSize}
)
UPDATE delivery SET state = 'dead', reason = 'subscription_off: ' || late.off_reason, next_at = NULL
FROM late
WHERE delivery.state = 'pending'
  AND delivery.source_number = late.source_number
  AND delivery.event_id = late.event_id
  AND delivery.subscription_number = late.subscription_number`;

/**
 * Moves what is pending of subscriptions that are off to the dead list, including what became
 * pending while they were switched off: by an ingest or a replay that still saw them on, or by an
 * attempt that failed afterwards. No sender would pick it up.
 */
export async function settleDeadDeliveries(
  { pool }: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  while (!mustStop()) {
    const { rowCount } = await retryConflict(() => pool.query(statement));
    if ((rowCount ?? 0) < batchSize) return;
  }
}
