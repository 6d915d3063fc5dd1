import { type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { DeliveryKey } from '../database/delivery-id.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';
import { startJob } from './jobs.ts';
import { newestEvent } from './newest-event.ts';
import { resume } from './resume.ts';

/** As the API shows it. */
export interface Retried {
  /** How many pending deliveries are due now. */
  readonly retried: number;
  /** Whether the relay makes more of them due in the background. */
  readonly has_more: boolean;
}

/** Makes the next attempt of these pending deliveries now. Skips those in any other state. */
export async function retryDeliveries(
  { db, clock, wake }: RelayContext,
  source: number | undefined,
  keys: readonly DeliveryKey[],
): Promise<Retried> {
  const retried = await retryConflict(() =>
    db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ subscription_number: number }>`
        UPDATE delivery SET next_at = ${new Date(clock.now())}::timestamptz
        FROM unnest(
          ${keys.map(({ event }) => event)}::uuid[],
          ${keys.map(({ subscription }) => subscription)}::integer[]
        ) AS wanted (event, subscription)
        JOIN subscription ON subscription.number = wanted.subscription
        WHERE delivery.state = 'pending' AND delivery.source_number = subscription.source_number
          AND delivery.event_id = wanted.event AND delivery.subscription_number = wanted.subscription
          AND ${source === undefined ? sql`true` : sql`delivery.source_number = ${source}`}
        RETURNING delivery.subscription_number`.execute(transaction);
      const resumed = new Set(rows.map((row) => row.subscription_number));
      for (const subscription of [...resumed].sort((a, b) => a - b)) {
        await resume(transaction, subscription);
      }
      return rows.length;
    }),
  );
  if (retried > 0) wake();
  return { retried, has_more: false };
}

/** Makes the next attempt of every pending delivery of a subscription now: a batch, then the rest. */
export async function retrySubscription(
  { db, clock, wake, settle }: RelayContext,
  subscription: Pick<Selectable<SubscriptionTable>, 'number' | 'source_number'>,
  batchSize?: number,
): Promise<Retried> {
  const { number, source_number } = subscription;
  const newest = await newestEvent(db, source_number);
  if (newest === undefined) return { retried: 0, has_more: false };
  const job = {
    kind: 'retry',
    source_number,
    subscription_number: number,
    replaced_number: null,
    state: null,
    after_event: leastUuidAt(0),
    after_subscription: 0,
    until_event: newest,
  } as const;
  const { count, hasMore } = await retryConflict(() =>
    db.transaction().execute(async (transaction) => {
      await resume(transaction, number);
      return startJob(transaction, job, clock.now(), batchSize);
    }),
  );
  if (count > 0) wake();
  if (hasMore) settle();
  return { retried: count, has_more: hasMore };
}
