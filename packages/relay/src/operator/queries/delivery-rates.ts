import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';

/** How many of the newest deliveries count. */
export const counted = 100;

/** Of the latest attempts of a subscription's newest deliveries. */
export interface DeliveryRate {
  readonly attempted: number;
  readonly delivered: number;
  readonly ignored: number;
  /** Milliseconds until 95 % of them had a response or failed. */
  readonly p95: number;
}

/**
 * By subscription, for those that have attempts. Reads a fixed number of rows for each, by index.
 * Among the pending deliveries, those with the latest next attempt are the ones that have failed.
 */
export async function deliveryRates(
  { db }: Pick<RelayContext, 'db'>,
  subscriptions: readonly number[],
): Promise<ReadonlyMap<number, DeliveryRate>> {
  const key = sql`source_number, position, subscription_number`;
  const newest = (state: 'delivered' | 'ignored' | 'dead') => sql`(
    SELECT ${key}, state FROM delivery
    WHERE state = ${sql.lit(state)} AND subscription_number = wanted.number
    ORDER BY subscription_number DESC, state DESC, position DESC LIMIT ${counted})`;
  const { rows } = await sql<DeliveryRate & { number: number }>`
    SELECT wanted.number, count(*)::integer AS attempted,
      (count(*) FILTER (WHERE recent.state = 'delivered'))::integer AS delivered,
      (count(*) FILTER (WHERE recent.state = 'ignored'))::integer AS ignored,
      (percentile_disc(0.95) WITHIN GROUP (ORDER BY latest.duration_ms))::integer AS p95
    FROM unnest(${subscriptions}::integer[]) AS wanted (number)
    CROSS JOIN LATERAL (
      SELECT * FROM (
        ${newest('delivered')} UNION ALL ${newest('ignored')} UNION ALL ${newest('dead')} UNION ALL (
          SELECT ${key}, state FROM (
            SELECT ${key}, state, attempts FROM delivery
            WHERE state = 'pending' AND subscription_number = wanted.number
            ORDER BY subscription_number DESC, next_at DESC LIMIT ${counted}
          ) AS waiting WHERE attempts > 0)
      ) AS attempted ORDER BY position DESC LIMIT ${counted}
    ) AS recent
    CROSS JOIN LATERAL (
      SELECT duration_ms FROM attempt
      WHERE attempt.source_number = recent.source_number AND attempt.position = recent.position
        AND attempt.subscription_number = recent.subscription_number
      ORDER BY attempt.number DESC LIMIT 1
    ) AS latest
    GROUP BY wanted.number`.execute(db);
  return new Map(rows.map(({ number, ...rate }) => [number, rate]));
}
