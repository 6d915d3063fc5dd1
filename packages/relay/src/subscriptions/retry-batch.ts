import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Batch, Job } from './job.ts';

/** Makes pending deliveries of a subscription due now. Their retry schedules stay as they are. */
export async function retryBatch(
  transaction: Kysely<Tables>,
  job: Job,
  now: number,
  batchSize: number,
): Promise<Batch> {
  const { rows } = await sql<{ event_id: string }>`
    WITH found AS MATERIALIZED (
      SELECT source_number, event_id, subscription_number FROM delivery
      WHERE state = 'pending' AND subscription_number = ${job.subscription_number}
        AND event_id > ${job.after_event}::uuid AND event_id <= ${job.until_event}::uuid
      ORDER BY subscription_number, event_id LIMIT ${batchSize} FOR UPDATE
    ), due AS (
      UPDATE delivery SET next_at = ${new Date(now)}::timestamptz FROM found
      WHERE delivery.state = 'pending' AND delivery.source_number = found.source_number
        AND delivery.event_id = found.event_id
        AND delivery.subscription_number = found.subscription_number
    )
    SELECT event_id FROM found ORDER BY event_id`.execute(transaction);
  const last = rows.length < batchSize ? undefined : rows.at(-1);
  return {
    count: rows.length,
    last: last && { after_event: last.event_id, after_subscription: 0 },
  };
}
