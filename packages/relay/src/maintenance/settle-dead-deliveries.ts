import type { RelayContext } from '../context.ts';

const batchSize = 1_000;

/**
 * The inner query takes a batch per subscription that is off, and skips rows that are being
 * written. Its ORDER BY matches the index of due deliveries: without it, a large backlog elsewhere
 * makes each subscription read the whole table.
 */
const statement = `
UPDATE delivery
SET state = 'dead', reason = 'subscription_off: ' || subscription.off_reason, next_at = NULL
FROM subscription CROSS JOIN LATERAL (
  SELECT pending.source_number, pending.event_id FROM delivery AS pending
  WHERE pending.subscription_number = subscription.number AND pending.state = 'pending'
  ORDER BY pending.next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
) AS late
WHERE subscription.state = 'off'
  AND delivery.source_number = late.source_number
  AND delivery.event_id = late.event_id
  AND delivery.subscription_number = subscription.number`;

/**
 * Settles deliveries that became pending while their subscription was switched off: by an ingest or
 * a replay that still saw it on, or by an attempt that failed afterwards. No sender would pick them
 * up.
 */
export async function settleDeadDeliveries(
  { pool }: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  while (!mustStop()) {
    const { rowCount } = await pool.query(statement);
    if ((rowCount ?? 0) < batchSize) return;
  }
}
