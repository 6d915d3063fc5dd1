import { sql } from 'kysely';
import type { RelayContext } from '../../../context.ts';
import type { SubscriptionRow } from '../../../subscribe/records/subscription-rows.ts';

/**
 * When the newest event arrived that the subscription wants and that is older than it, if it was not
 * delivered to it since. Reads one event for each of its types, by index.
 */
export async function latestMissedEvent(
  { db }: RelayContext,
  { number, events, since }: Pick<SubscriptionRow, 'number' | 'events' | 'since'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ received_at: Date }>`
    SELECT newest.received_at FROM subscription
    CROSS JOIN unnest(${events}::text[], ${since}::bigint[]) AS wanted (kind, since)
    CROSS JOIN LATERAL (
      (SELECT position, received_at FROM event
        WHERE kind <> '*' AND source_number = subscription.source_number AND type = kind
          AND position <= wanted.since
        ORDER BY source_number DESC, type DESC, position DESC LIMIT 1)
      UNION ALL
      (SELECT position, received_at FROM event
        WHERE kind = '*' AND source_number = subscription.source_number
          AND position <= wanted.since
        ORDER BY source_number DESC, position DESC LIMIT 1)
    ) AS newest
    WHERE subscription.number = ${number} AND NOT EXISTS (
      SELECT FROM delivery
      WHERE delivery.source_number = subscription.source_number
        AND delivery.position = newest.position AND delivery.subscription_number = ${number}
    )
    ORDER BY newest.position DESC LIMIT 1`.execute(db);
  return rows[0]?.received_at;
}
