import type { Pool } from 'pg';
import { publicId } from '../database/uuid.ts';

export interface SubscriptionFigures {
  readonly id: string;
  readonly pending: number;
  readonly dead: number;
  readonly failing_since: Date | null;
}

/** A collector keeps a series for each of them. */
export const mostSubscriptions = 100;
/** Deliveries of each are counted up to this limit. */
export const mostOfOne = 1_000;

const statement = `
SELECT shown.id, shown.failing_since,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = shown.number AND state = 'pending'
    ORDER BY next_at LIMIT $2
  ) AS one) AS pending,
  (SELECT count(*)::integer FROM (
    SELECT FROM delivery WHERE subscription_number = shown.number AND state = 'dead'
    ORDER BY position LIMIT $2
  ) AS one) AS dead
FROM (
  SELECT number, id, failing_since
  FROM subscription LEFT JOIN lease ON lease.subscription_number = number
  WHERE deleted_at IS NULL
  ORDER BY failing_since NULLS LAST, number DESC LIMIT $1
) AS shown`;

/** Of the subscriptions that have failed longest, then of the newest. */
export async function subscriptionFigures(pool: Pool): Promise<readonly SubscriptionFigures[]> {
  const { rows } = await pool.query<SubscriptionFigures>(statement, [mostSubscriptions, mostOfOne]);
  return rows.map((row) => ({ ...row, id: publicId('sub', row.id) }));
}
