import type { RelayContext } from '../context.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import { reasonDeleted } from '../sender/read-statements.ts';

const batchSize = 1_000;

/** Skips rows that are being written. */
const statement = `
WITH late AS MATERIALIZED (
  SELECT pending.* FROM subscription CROSS JOIN LATERAL (
    SELECT source_number, position, subscription_number FROM delivery
    WHERE delivery.subscription_number = subscription.number AND delivery.state = 'pending'
    ORDER BY delivery.next_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ) AS pending
  WHERE subscription.deleted_at IS NOT NULL LIMIT ${batchSize}
)
UPDATE delivery SET state = 'dead', reason = '${reasonDeleted}', next_at = NULL
FROM late
WHERE delivery.source_number = late.source_number AND delivery.position = late.position
  AND delivery.subscription_number = late.subscription_number`;

/**
 * Moves what was attempted for a deleted subscription, and never delivered, to the dead list. One that
 * continues it delivers it, whether it was moved or not.
 */
export async function settleEnded({ pool }: RelayContext, mustStop: () => boolean): Promise<void> {
  while (!mustStop()) {
    const { rowCount } = await retryConflict(() => pool.query(statement));
    if ((rowCount ?? 0) < batchSize) return;
  }
}
