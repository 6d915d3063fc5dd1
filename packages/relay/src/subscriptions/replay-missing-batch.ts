import { type Kysely, sql } from 'kysely';
import { namesFor } from '../database/names-for.ts';
import type { Tables } from '../database/tables.ts';
import type { Batch, Job } from './job.ts';
import { lockSubscription } from './lock-subscription.ts';

/**
 * Reads the next events of the source, and adds deliveries of those that the subscription wants and
 * has none of.
 */
export async function replayMissingBatch(
  transaction: Kysely<Tables>,
  job: Job,
  now: number,
  batchSize: number,
): Promise<Batch> {
  const wanted = await lockSubscription(transaction, job.subscription_number);
  if (!wanted) return { count: 0, last: undefined };
  const { rows } = await sql<{ read: number; last: string | null; added: number }>`
    WITH stored AS MATERIALIZED (
      SELECT id, type FROM event
      WHERE source_number = ${job.source_number}
        AND id > ${job.after_event}::uuid AND id <= ${job.until_event}::uuid
      ORDER BY source_number, id LIMIT ${batchSize}
    ), added AS (
      INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
      SELECT ${job.source_number}::integer, id, ${job.subscription_number}::integer, ${new Date(now)}::timestamptz
      FROM stored
      WHERE ${sql.raw(namesFor('type'))} && ${wanted}::text[] AND NOT EXISTS (
        SELECT FROM delivery AS own
        WHERE own.source_number = ${job.source_number} AND own.event_id = stored.id
          AND own.subscription_number = ${job.subscription_number}
      )
      ORDER BY id
      RETURNING event_id
    )
    SELECT (SELECT count(*) FROM stored)::integer AS read,
      (SELECT id FROM stored ORDER BY id DESC LIMIT 1) AS last,
      (SELECT count(*) FROM added)::integer AS added`.execute(transaction);
  const { read = 0, last = null, added = 0 } = rows[0] ?? {};
  const isLast = read < batchSize || last === null;
  return {
    count: added,
    last: isLast ? undefined : { after_event: last, after_subscription: 0 },
  };
}
