import type { Pool } from 'pg';

/** How many there are in each state. */
export interface StateCounts {
  readonly pending: number;
  readonly dead: number;
  readonly active: number;
  readonly off: number;
}

/**
 * Each query reads the pending or dead deliveries, or a small table. The ORDER BY matches an index:
 * without it the planner may also read rows that vacuum has yet to remove.
 */
const statement = `
SELECT (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE state = 'pending'
    ORDER BY subscription_number, next_at LIMIT $1
  ) AS counted) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT FROM source CROSS JOIN LATERAL (
      SELECT FROM delivery WHERE source_number = source.number AND state = 'dead'
      ORDER BY source_number, state, position LIMIT $1
    ) AS one LIMIT $1
  ) AS counted) AS dead,
  (SELECT count(*)::integer FROM subscription WHERE deleted_at IS NULL AND state = 'active') AS active,
  (SELECT count(*)::integer FROM subscription WHERE deleted_at IS NULL AND state = 'off') AS off`;

/** Deliveries to retry and dead ones, each counted up to a limit, and subscriptions. */
export async function countStates(pool: Pool, most: number): Promise<StateCounts> {
  const { rows } = await pool.query<StateCounts>(statement, [most]);
  return rows[0] ?? { pending: 0, dead: 0, active: 0, off: 0 };
}
