import type { Pool } from 'pg';
import { type SubscriptionId, subscriptionId } from '../../base/ids.ts';
import {
  type OffReason,
  reasonErased,
  reasonNotDesired,
  reasonUnsubscribed,
} from '../../base/stored-values.ts';
import { unreadOf } from '../../log/waiting.ts';
import { isActive, readingTables } from '../../log/wants.ts';

interface StateCounts
  extends Readonly<Record<'waiting' | 'pending' | 'dead' | 'active' | 'off', number>> {
  /** Of those that are off, by reason. */
  readonly off_by_reason: Readonly<Partial<Record<OffReason, number>>>;
}

/** SQL for the active subscriptions of a kind that have not read its `newest` event. */
const isBehind = `${isActive} AND subscription.source_number = newest.source_number
      AND subscription.events = newest.events AND subscription.position < newest.position`;

/** A subscription with more counts as one with so many. */
const mostUnread = 10_000;

/**
 * Each query reads what waits, the pending or dead deliveries, or a small table. The ORDER BY matches an index:
 * without it the planner may also read rows that vacuum has yet to remove.
 */
const countStatement = `
${readingTables}, waiting AS (
  SELECT subscription.number FROM newest JOIN subscription ON ${isBehind}
  CROSS JOIN LATERAL (${unreadOf(mostUnread)}) AS unread LIMIT $1
), off AS (
  SELECT off_reason, count(*)::integer FROM subscription WHERE off_reason <> 'unsubscribed' GROUP BY off_reason
)
SELECT (SELECT count(*)::integer FROM waiting) AS waiting,
  (SELECT count(*)::integer FROM (
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
  (SELECT coalesce(sum(count), 0)::integer FROM off) AS off,
  (SELECT coalesce(jsonb_object_agg(off_reason, count), '{}') FROM off) AS off_by_reason`;

const nothing: StateCounts = {
  ...{ waiting: 0, pending: 0, dead: 0, active: 0, off: 0 },
  off_by_reason: {},
};

/** What was not attempted yet, deliveries to retry and dead ones, each counted up to a limit, and subscriptions. */
export async function countStates(pool: Pool, most: number): Promise<StateCounts> {
  const { rows } = await pool.query<StateCounts>(countStatement, [most]);
  return rows[0] ?? nothing;
}

interface SubscriptionFigures extends SubscriptionId {
  readonly waiting: number;
  readonly pending: number;
  /** Without what was erased, or is not wanted any more: there is nothing to do about it. */
  readonly dead: number;
  readonly is_active: boolean;
  readonly failing_since: Date | null;
}

/** A collector keeps a series for each of them. */
export const maxSubscriptions = 100;
/** Deliveries of each are counted up to this limit. */
export const maxOfOne = 1_000;

const harmless = [reasonErased, reasonNotDesired, reasonUnsubscribed]
  .map((reason) => `'${reason}'`)
  .join(', ');

const figuresStatement = `
SELECT subscription.id, subscription.generation, shown.failing_since, ${isActive} AS is_active,
  (SELECT count(*)::integer FROM (${unreadOf(maxOfOne)}) AS one) AS waiting,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = subscription.number AND state = 'pending'
    ORDER BY next_at LIMIT $2
  ) AS one) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT reason FROM delivery WHERE subscription_number = subscription.number AND state = 'dead'
    ORDER BY subscription_number DESC, state DESC, position DESC LIMIT $2
  ) AS one WHERE coalesce(reason, '') NOT IN (${harmless})) AS dead
FROM (
  SELECT subscription.number, CASE WHEN ${isActive} THEN failing_since END AS failing_since,
    EXISTS (SELECT FROM delivery WHERE delivery.subscription_number = subscription.number AND delivery.state = 'dead') AS has_dead
  FROM subscription LEFT JOIN lease ON lease.subscription_number = subscription.number
  WHERE coalesce(off_reason, '') NOT IN ('unsubscribed', 'token_revoked')
  ORDER BY 2 NULLS LAST, 3 DESC, number DESC LIMIT $1
) AS shown JOIN subscription ON subscription.number = shown.number
ORDER BY shown.failing_since NULLS LAST, shown.has_dead DESC, shown.number DESC`;

/**
 * Of the subscriptions that have failed longest, then of those with dead deliveries, then of the newest;
 * not of revoked tokens, to which nothing can be delivered.
 */
export async function subscriptionFigures(pool: Pool): Promise<readonly SubscriptionFigures[]> {
  const { rows } = await pool.query<SubscriptionFigures>(figuresStatement, [
    maxSubscriptions,
    maxOfOne,
  ]);
  return rows.map((row) => ({ ...row, id: subscriptionId(row) }));
}

/** What the relay may send, and no process sends: not to one that pauses. */
const isFree = `(lease.leased_until >= clock_timestamp()) IS NOT TRUE
    AND (lease.paused_until IS NULL OR lease.paused_until <= $1)`;

/**
 * Of each kind of subscription, the one that is furthest behind, and the first event that it waits
 * for; and the first retry that is due. What waits for a subscriber that is down or slow does not count.
 */
const lagStatement = `
${readingTables}, waiting AS (
  SELECT next.received_at AS at FROM newest
  CROSS JOIN LATERAL (
    SELECT position, since FROM subscription
    JOIN lease ON lease.subscription_number = subscription.number AND ${isFree}
    WHERE ${isBehind} ORDER BY position LIMIT 1
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
  (SELECT min(retrying.next_at) FROM retrying
    JOIN lease ON lease.subscription_number = retrying.subscription_number
    JOIN subscription ON subscription.number = retrying.subscription_number
    WHERE ${isActive} AND ${isFree})
) AS at`;

/** Since when the oldest event waits, or will be due, in milliseconds since 1970; undefined for none. */
export async function oldestDue(pool: Pool, now: number): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(lagStatement, [new Date(now)]);
  return rows[0]?.at?.getTime();
}
