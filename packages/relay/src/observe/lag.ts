import type { Pool } from 'pg';
import { isActive, readingTables } from '../database/reading-subscriptions.ts';

const isBehind = `${isActive} AND source_number = newest.source_number AND events = newest.events
      AND position < newest.position`;

/**
 * Of each kind of subscription, the one that is furthest behind, and the first event that it waits
 * for. What waits only for the limit of its subscription is not due before that allows an attempt.
 */
const statement = `
${readingTables('0')}, waiting AS (
  SELECT greatest(next.received_at, last.paused_until) AS at FROM newest
  CROSS JOIN LATERAL (
    (SELECT position, NULL::timestamptz AS paused_until FROM subscription
      WHERE ${isBehind} AND max_per_minute IS NULL
      ORDER BY position LIMIT 1)
    UNION ALL
    (SELECT position, paused_until FROM subscription
      LEFT JOIN lease ON subscription_number = number
      WHERE ${isBehind} AND max_per_minute IS NOT NULL
      ORDER BY paused_until NULLS FIRST, position LIMIT 1)
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
  (SELECT min(at) FROM waiting),
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
