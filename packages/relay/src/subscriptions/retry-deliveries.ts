import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { type DeliveryKey, readDeliveryId } from '../database/ids.ts';
import { endOfLog } from '../database/log-position.ts';
import type { Retried } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { addJob, countDeliveries, type NewJob } from './jobs.ts';
import { endPause } from './lease.ts';
import type { SubscriptionKey } from './replay.ts';

/**
 * Makes the next attempt of these pending deliveries now, also if their subscriptions pause. Skips
 * those in any other state, and of another source if one is given.
 */
export async function retryDeliveries(
  context: RelayContext,
  source: number | undefined,
  keys: readonly DeliveryKey[],
): Promise<Retried> {
  return change(context, async (transaction) => {
    const { rows } = await sql<{ subscription_number: number }>`
      INSERT INTO job (kind, subscription_number, of_number, states, position, until)
      SELECT DISTINCT 'retry', subscription_number, subscription_number, '{pending}'::text[],
        delivery.position - 1, delivery.position
      FROM delivery, unnest(
        ${keys.map(({ event }) => event)}::uuid[],
        ${keys.map(({ subscription }) => subscription)}::integer[]
      ) AS wanted (event, subscription)
      JOIN event ON event.id = wanted.event
      WHERE delivery.source_number = event.source_number AND delivery.position = event.position
        AND delivery.subscription_number = wanted.subscription AND delivery.state = 'pending'
        AND ${source === undefined ? sql`true` : sql`event.source_number = ${source}`}
      RETURNING subscription_number`.execute(transaction);
    await endPause(transaction, [...new Set(rows.map((row) => row.subscription_number))]);
    return { retried: rows.length, has_more: false };
  });
}

/** The same for one. Throws a RelayError (`conflict`) for any other state. */
export async function retryDelivery(
  context: RelayContext,
  source: number | undefined,
  id: string,
): Promise<Retried> {
  const key = readDeliveryId(id);
  const result = await retryDeliveries(context, source, key ? [key] : []);
  if (result.retried > 0) return result;
  throw new RelayError('conflict', 'The delivery is not pending. To deliver it again, replay it.');
}

/** Makes the next attempt of every pending delivery of a subscription now. */
export async function retrySubscription(
  context: RelayContext,
  { number, source_number }: SubscriptionKey,
): Promise<Retried> {
  return change(context, async (transaction) => {
    const job: NewJob = {
      kind: 'retry',
      subscription_number: number,
      of_number: number,
      states: ['pending'],
      position: '0',
      until: await endOfLog(transaction, source_number),
    };
    const { count, hasMore } = await countDeliveries(transaction, job);
    if (count > 0) await addJob(transaction, job);
    await endPause(transaction, [number]);
    return { retried: count, has_more: hasMore };
  });
}
