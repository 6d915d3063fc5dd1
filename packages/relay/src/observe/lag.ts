import type { Pool } from 'pg';
import { isActive, readingTables } from '../database/reading-subscriptions.ts';

/** Of each kind of subscription, the one that is furthest behind, and the first event that it waits for. */
const statement = `
${readingTables('0')}, waiting AS (
  SELECT next.received_at FROM newest
  CROSS JOIN LATERAL (
    SELECT position FROM subscription
    WHERE ${isActive} AND source_number = newest.source_number AND events = newest.events
      AND position < newest.position
    ORDER BY position LIMIT 1
  ) AS last
  CROSS JOIN unnest(newest.events) AS wanted (name)
  CROSS JOIN LATERAL (
    (SELECT received_at FROM event
      WHERE wanted.name <> '*' AND source_number = newest.source_number AND type = wanted.name
        AND position > last.position
      ORDER BY source_number, type, position LIMIT 1)
    UNION ALL
    (SELECT received_at FROM event
      WHERE wanted.name = '*' AND source_number = newest.source_number AND type NOT LIKE 'relay.%'
        AND position > last.position
      ORDER BY source_number, position LIMIT 1)
  ) AS next
)
SELECT least(
  (SELECT min(received_at) FROM waiting),
  (SELECT min(greatest(retrying.next_at, lease.paused_until)) FROM retrying
    JOIN lease ON lease.subscription_number = retrying.subscription_number
    JOIN subscription ON subscription.number = retrying.subscription_number
    WHERE ${isActive})
) AS at`;

/** Since when the oldest event waits, or will be due, in milliseconds since 1970; undefined for none. */
export async function oldestDue(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(statement);
  return rows[0]?.at?.getTime();
}
