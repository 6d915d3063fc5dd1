import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';
import { type Started, startJob } from './jobs.ts';
import { lockSubscription } from './lock-subscription.ts';
import { newestEvent } from './newest-event.ts';

/** As the API shows it. */
export interface Missing {
  /** How many deliveries were added: a second time there are none. */
  readonly deliveries: number;
  /** Whether the relay adds more of them in the background. */
  readonly has_more: boolean;
}

/** Milliseconds since 1970: events that arrived at or after `since` and before `until`. */
interface Period {
  readonly since: number;
  readonly until?: number | undefined;
}

type Subscription = Pick<Selectable<SubscriptionTable>, 'number' | 'source_number'>;

/**
 * Delivers every stored event that the subscription wants and has no delivery of: a batch now, and
 * the rest in the background.
 */
export async function replayMissing(
  { db, clock, wake, settle }: RelayContext,
  subscription: Subscription,
  period: Period,
  batchSize?: number,
): Promise<Missing> {
  const { count, hasMore } = await retryConflict(() =>
    db
      .transaction()
      .execute((transaction) =>
        addMissing(transaction, subscription, period, clock.now(), batchSize),
      ),
  );
  if (count > 0) wake();
  if (hasMore) settle();
  return { deliveries: count, has_more: hasMore };
}

export async function addMissing(
  transaction: Kysely<Tables>,
  { number, source_number }: Subscription,
  { since, until }: Period,
  now: number,
  batchSize?: number,
): Promise<Started> {
  const newest = await newestEvent(transaction, source_number);
  if (newest === undefined) return { count: 0, hasMore: false };
  const end = until === undefined ? newest : leastUuidAt(until);
  const job = {
    kind: 'replay_missing',
    source_number,
    subscription_number: number,
    replaced_number: null,
    state: null,
    after_event: leastUuidAt(since),
    after_subscription: 0,
    until_event: end.localeCompare(newest) < 0 ? end : newest,
  } as const;
  return startJob(transaction, job, now, batchSize);
}

/**
 * Delivers a stored event to a subscription of its source, whatever its type and age. Does nothing
 * if there is a delivery already, or the subscription has just been switched off.
 */
export async function addDelivery(
  { db, clock }: RelayContext,
  source: number,
  event: string,
  subscription: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await lockSubscription(transaction, subscription))) return;
    await sql`
      INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
      SELECT ${source}::integer, ${event}::uuid, ${subscription}::integer, ${new Date(clock.now())}::timestamptz
      WHERE NOT EXISTS (
        SELECT FROM delivery AS own
        WHERE own.source_number = ${source} AND own.event_id = ${event}::uuid
          AND own.subscription_number = ${subscription}
      )`.execute(transaction);
  });
}
