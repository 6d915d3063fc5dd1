import { type Kysely, sql } from 'kysely';
import { namesFor } from '../database/names-for.ts';
import type { Tables } from '../database/tables.ts';
import type { Batch, Job } from './job.ts';
import { lockSubscription } from './lock-subscription.ts';

/**
 * Adds deliveries of the events that the replaced subscription has not received, if the new one
 * wants them.
 */
export async function takeOverBatch(
  transaction: Kysely<Tables>,
  job: Job,
  now: number,
  batchSize: number,
): Promise<Batch> {
  const wanted = await lockSubscription(transaction, job.subscription_number);
  if (!wanted) return { count: 0, last: undefined };
  const missed = (condition: string) => sql`(
    SELECT event_id, replays FROM delivery
    WHERE subscription_number = ${job.replaced_number} AND ${sql.raw(condition)}
      AND event_id > ${job.after_event}::uuid AND event_id <= ${job.until_event}::uuid
    ORDER BY event_id LIMIT ${batchSize}
  )`;
  const { rows } = await sql<{ event_id: string }>`
    WITH missed AS MATERIALIZED (
      ${missed("state = 'pending'")}
      UNION ALL
      ${missed("state = 'dead' AND reason = 'subscription_off: deleted'")}
      ORDER BY event_id LIMIT ${batchSize}
    ), added AS (
      INSERT INTO delivery (source_number, event_id, subscription_number, next_at, replays)
      SELECT event.source_number, event.id, ${job.subscription_number}::integer,
        ${new Date(now)}::timestamptz, missed.replays
      FROM missed
      JOIN event ON event.source_number = ${job.source_number} AND event.id = missed.event_id
      WHERE ${sql.raw(namesFor('event.type'))} && ${wanted}::text[] AND NOT EXISTS (
        SELECT FROM delivery AS own
        WHERE own.source_number = event.source_number AND own.event_id = event.id
          AND own.subscription_number = ${job.subscription_number}
      )
      ORDER BY event.id
    )
    SELECT event_id FROM missed ORDER BY event_id`.execute(transaction);
  const last = rows.length < batchSize ? undefined : rows.at(-1);
  return {
    count: rows.length,
    last: last && { after_event: last.event_id, after_subscription: 0 },
  };
}
