import type { Pool } from 'pg';
import { type SubscriptionId, subscriptionId } from '../../log/database/ids.ts';
import { isActive, readingTables } from '../../log/database/reading-subscriptions.ts';

type StateCounts = Readonly<Record<'pending' | 'dead' | 'active' | 'off', number>>;

/**
 * Each query reads the pending or dead deliveries, or a small table. The ORDER BY matches an index:
 * without it the planner may also read rows that vacuum has yet to remove.
 */
const countStatement = `
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
  (SELECT count(*)::integer FROM subscription WHERE state = 'active') AS active,
  (SELECT count(*)::integer FROM subscription WHERE off_reason <> 'unsubscribed') AS off`;

/** Deliveries to retry and dead ones, each counted up to a limit, and subscriptions. */
export async function countStates(pool: Pool, most: number): Promise<StateCounts> {
  const { rows } = await pool.query<StateCounts>(countStatement, [most]);
  return rows[0] ?? { pending: 0, dead: 0, active: 0, off: 0 };
}

interface SubscriptionFigures extends SubscriptionId {
  readonly pending: number;
  readonly dead: number;
  readonly failing_since: Date | null;
}

/** A collector keeps a series for each of them. */
export const maxSubscriptions = 100;
/** Deliveries of each are counted up to this limit. */
export const maxOfOne = 1_000;

const figuresStatement = `
SELECT shown.id, shown.generation, shown.failing_since,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = shown.number AND state = 'pending'
    ORDER BY next_at LIMIT $2
  ) AS one) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = shown.number AND state = 'dead'
    ORDER BY position LIMIT $2
  ) AS one) AS dead
FROM (
  SELECT number, id, subscription.generation, failing_since
  FROM subscription LEFT JOIN lease ON lease.subscription_number = number
  WHERE off_reason IS DISTINCT FROM 'unsubscribed'
  ORDER BY failing_since NULLS LAST, number DESC LIMIT $1
) AS shown`;

/** Of the subscriptions that have failed longest, then of the newest. */
export async function subscriptionFigures(pool: Pool): Promise<readonly SubscriptionFigures[]> {
  const { rows } = await pool.query<SubscriptionFigures>(figuresStatement, [
    maxSubscriptions,
    maxOfOne,
  ]);
  return rows.map((row) => ({ ...row, id: subscriptionId(row) }));
}

const isBehind = `${isActive} AND source_number = newest.source_number AND events = newest.events
      AND position < newest.position`;

/**
 * Of each kind of subscription, the one that is furthest behind, and the first event that it waits
 * for.
 */
const lagStatement = `
${readingTables}, waiting AS (
  SELECT next.received_at AS at FROM newest
  CROSS JOIN LATERAL (
    SELECT position, since FROM subscription WHERE ${isBehind} ORDER BY position LIMIT 1
  ) AS last
  CROSS JOIN unnest(newest.events, last.since) AS wanted (name, since)
  CROSS JOIN LATERAL (
    (SELECT received_at FROM event
      WHERE wanted.name <> '*' AND source_number = newest.source_number AND type = wanted.name
        AND position > greatest(last.position, wanted.since)
      ORDER BY source_number, type, position LIMIT 1)
    UNION ALL
    (SELECT received_at FROM event
      WHERE wanted.name = '*' AND source_number = newest.source_number AND type NOT LIKE 'relay.%'
        AND position > greatest(last.position, wanted.since)
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
  const { rows } = await pool.query<{ at: Date | null }>(lagStatement);
  return rows[0]?.at?.getTime();
}
