import type { RelayContext } from '../context.ts';

const batchSize = 1_000;

/**
 * The inner selection takes a batch of each subscription that is off, and waits for no row that is
 * being written. Its order is that of the index of what is due: without it the whole table is read
 * for each subscription when much is pending elsewhere.
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
 * Deliveries that became pending while their subscription was switched off: by an ingest or a replay
 * that saw it on, or by an attempt that failed afterwards. Nobody would send them.
 */
export async function sweep({ pool }: RelayContext, mustStop: () => boolean): Promise<void> {
  while (!mustStop()) {
    const { rowCount } = await pool.query(statement);
    if ((rowCount ?? 0) < batchSize) return;
  }
}
