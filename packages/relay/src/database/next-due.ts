import type { Pool } from 'pg';

const statement = `
SELECT min(greatest(due.next_at, lease.paused_until)) AS at
FROM lease
JOIN subscription ON subscription.number = lease.subscription_number
CROSS JOIN LATERAL (
  SELECT next_at FROM delivery
  WHERE delivery.subscription_number = lease.subscription_number AND delivery.state = 'pending'
  ORDER BY next_at LIMIT 1
) AS due
WHERE subscription.state = 'active' AND subscription.deleted_at IS NULL`;

/** When the next delivery is due, in milliseconds since 1970; undefined if none is pending. */
export async function nextDue(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(statement);
  return rows[0]?.at?.getTime();
}
