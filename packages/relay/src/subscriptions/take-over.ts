import { type Kysely, type Selectable, sql } from 'kysely';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';

/**
 * n8n unsubscribes and subscribes again each time a workflow is published. After this time, a new
 * subscription inherits nothing.
 */
const graceMs = 10 * 60_000;

/**
 * Delivers what the replaced subscription of the same source has not received to the new one, if it
 * wants those events. An event that both receive has the same `webhook-id`. Two SELECTs, since
 * pending and dead deliveries have separate indexes.
 */
export async function takeOver(
  db: Kysely<Tables>,
  { number, source_number: source, events }: Selectable<SubscriptionTable>,
  replaced: string,
  now: number,
): Promise<void> {
  const uuid = uuidOf('sub', replaced);
  if (!uuid) return;
  await sql`
    WITH replaced AS (
      SELECT number FROM subscription
      WHERE id = ${uuid} AND source_number = ${source} AND number <> ${number}
        AND (deleted_at IS NULL OR deleted_at >= ${new Date(now - graceMs)})
    ), missed AS (
      SELECT event_id FROM delivery
      WHERE subscription_number IN (SELECT number FROM replaced) AND state = 'pending'
      UNION ALL
      SELECT event_id FROM delivery
      WHERE source_number = ${source} AND state = 'dead' AND reason = 'subscription_off: deleted'
        AND subscription_number IN (SELECT number FROM replaced)
    )
    INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
    SELECT event.source_number, event.id, ${number}::integer, ${new Date(now)}::timestamptz
    FROM missed JOIN event ON event.source_number = ${source} AND event.id = missed.event_id
    WHERE ARRAY[event.type, '*'] && ${events}::text[]
    ORDER BY event.id
    ON CONFLICT DO NOTHING`.execute(db);
}
