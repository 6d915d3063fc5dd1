import { sql } from 'kysely';
import type { RelayContext } from '../../context.ts';
import { leastUuidAt } from '../../database/uuid.ts';
import type { SubscriptionRow } from './subscription-rows.ts';

/**
 * When the newest event arrived that the subscription wants and that is older than it, if it was not
 * delivered to it since. Reads one event for each of its types, by index.
 */
export async function missedBefore(
  { db }: RelayContext,
  { number, events, created_at }: Pick<SubscriptionRow, 'number' | 'events' | 'created_at'>,
): Promise<Date | undefined> {
  const before = leastUuidAt(created_at.getTime());
  const { rows } = await sql<{ received_at: Date }>`
    SELECT newest.received_at FROM subscription CROSS JOIN unnest(${events}::text[]) AS kind
    CROSS JOIN LATERAL (
      (SELECT id, received_at FROM event
        WHERE kind <> '*' AND source_number = subscription.source_number AND type = kind AND id < ${before}::uuid
        ORDER BY source_number DESC, type DESC, id DESC LIMIT 1)
      UNION ALL
      (SELECT id, received_at FROM event
        WHERE kind = '*' AND source_number = subscription.source_number AND id < ${before}::uuid
        ORDER BY source_number DESC, id DESC LIMIT 1)
    ) AS newest
    WHERE subscription.number = ${number} AND NOT EXISTS (
      SELECT FROM delivery
      WHERE delivery.subscription_number = ${number} AND delivery.event_id = newest.id
    )
    ORDER BY newest.id DESC LIMIT 1`.execute(db);
  return rows[0]?.received_at;
}
