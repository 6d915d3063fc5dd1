import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Batch, Job } from './job.ts';

/**
 * Makes deliveries pending again with a fresh retry schedule and a new `webhook-id`, in the
 * order of their keys. Skips those of subscriptions that are off.
 */
export async function replayBatch(
  transaction: Kysely<Tables>,
  job: Job,
  now: number,
  batchSize: number,
): Promise<Batch> {
  const { source_number: source, subscription_number: subscription, state } = job;
  // Locked by a separate statement: the one that writes then sees what a sender has just written.
  const found = await transaction
    .selectFrom('delivery')
    .select(['event_id', 'subscription_number', 'state'])
    .where('source_number', '=', source)
    .where('event_id', '<=', job.until_event)
    .where(
      sql<boolean>`(event_id, subscription_number) > (${job.after_event}::uuid, ${job.after_subscription}::integer)`,
    )
    .where('subscription_number', 'in', (query) =>
      query.selectFrom('subscription').select('number').where('state', '=', 'active'),
    )
    .$if(subscription !== null, (query) => query.where('subscription_number', '=', subscription))
    .$if(state !== null, (query) => query.where('state', '=', state ?? 'dead'))
    .orderBy('source_number')
    .orderBy('event_id')
    .orderBy('subscription_number')
    .limit(batchSize)
    .forUpdate('delivery')
    .execute();
  // For so many keys, the planner would read the whole table.
  await sql`SET LOCAL enable_hashjoin = off`.execute(transaction);
  await sql`SET LOCAL enable_mergejoin = off`.execute(transaction);
  // Between the first and the last event, so that it opens only their partitions.
  await sql`
    UPDATE delivery
    SET state = 'pending', reason = NULL, attempts_since_replay = 0, replays = replays + 1,
      next_at = ${new Date(now)}
    FROM unnest(
      ${found.map((row) => row.event_id)}::uuid[],
      ${found.map((row) => row.subscription_number)}::integer[],
      ${found.map((row) => row.state)}::text[]
    ) AS found (event, subscription, state)
    WHERE delivery.state = found.state AND delivery.source_number = ${source} AND delivery.event_id = found.event
      AND delivery.subscription_number = found.subscription
      AND delivery.event_id BETWEEN ${found[0]?.event_id} AND ${found.at(-1)?.event_id}`.execute(
    transaction,
  );
  const last = found.length < batchSize ? undefined : found.at(-1);
  return {
    count: found.length,
    last: last && { after_event: last.event_id, after_subscription: last.subscription_number },
  };
}
