import type { Pool } from 'pg';
import { pendingSubscriptions } from './pending-subscriptions.ts';

const statement = `
WITH ${pendingSubscriptions('0')}
SELECT min(greatest(pending.next_at, lease.paused_until)) AS at
FROM pending
JOIN lease ON lease.subscription_number = pending.subscription_number
JOIN subscription ON subscription.number = pending.subscription_number
WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL`;

/** When the next delivery is due, in milliseconds since 1970; undefined if none is pending. */
export async function nextDue(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(statement);
  return rows[0]?.at?.getTime();
}
