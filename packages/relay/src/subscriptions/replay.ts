import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { type EventKey, endOfLog, positionBefore } from '../database/log-position.ts';
import type { DeliveryState } from '../database/stored-values.ts';
import type { SubscriptionTable } from '../database/subscription-tables.ts';
import type { Tables } from '../database/tables.ts';
import type { Replayed } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { addJob, countDeliveries, type NewJob } from './jobs.ts';
import { endPause } from './lease.ts';

interface ReplayRange {
  /** Milliseconds since 1970: events that arrived at or after `from` and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly state?: DeliveryState | undefined;
}

export type SubscriptionKey = Pick<Selectable<SubscriptionTable>, 'number' | 'source_number'>;

const everyState: DeliveryState[] = ['pending', 'delivered', 'ignored', 'dead'];

/** Sends deliveries of a subscription again, each with a fresh retry schedule and a new `webhook-id`. */
export async function replaySubscription(
  context: RelayContext,
  { number, source_number: source }: SubscriptionKey,
  { from, to, state }: ReplayRange,
): Promise<Replayed> {
  return change(context, async (transaction) => {
    const job: NewJob = {
      kind: 'again',
      subscription_number: number,
      of_number: number,
      states: state === undefined ? everyState : [state],
      position: from === undefined ? '0' : await positionBefore(transaction, source, from),
      until:
        to === undefined
          ? await endOfLog(transaction, source)
          : await positionBefore(transaction, source, to),
    };
    const { count, hasMore } = await countDeliveries(transaction, job);
    if (count > 0) await addJob(transaction, job);
    await endPause(transaction, [number]);
    return { replayed: count, has_more: hasMore };
  });
}

interface ReplayTo {
  readonly subscription?: number | undefined;
  readonly token?: number | undefined;
}

/**
 * Sends an event again to the subscriptions that are on and had a delivery of it: to one of them, to
 * those of a token, or to all.
 */
export async function replayEvent(
  context: RelayContext,
  { source_number, position }: EventKey,
  { subscription, token }: ReplayTo = {},
): Promise<Replayed> {
  const now = new Date(context.clock.now());
  const rows = await change(context, async (transaction) => {
    await mustBeKept(transaction, { source_number, position });
    const replayed = await transaction
      .updateTable('delivery')
      .from('subscription')
      .set({
        state: 'pending',
        reason: null,
        attempts_since_replay: 0,
        replays: sql`delivery.replays + 1`,
        next_at: now,
      })
      .whereRef('subscription.number', '=', 'delivery.subscription_number')
      .where('subscription.state', '=', 'active')
      .where('delivery.source_number', '=', source_number)
      .where('delivery.position', '=', position)
      .$if(subscription !== undefined, (update) =>
        update.where('delivery.subscription_number', '=', subscription ?? 0),
      )
      .$if(token !== undefined, (update) =>
        update.where('subscription.token_number', '=', token ?? 0),
      )
      .returning('delivery.subscription_number')
      .execute();
    await endPause(
      transaction,
      replayed.map(({ subscription_number }) => subscription_number),
    );
    return replayed;
  });
  return { replayed: rows.length, has_more: false };
}

/** Delivers a stored event to one subscription of its source, whatever its type and age. */
export async function deliverEvent(
  context: RelayContext,
  { source_number, position }: EventKey,
  subscription: number,
): Promise<Replayed> {
  const next_at = new Date(context.clock.now());
  const fresh = { state: 'pending', attempts_since_replay: 0, next_at } as const;
  await change(context, async (transaction) => {
    await mustBeKept(transaction, { source_number, position });
    await transaction
      .insertInto('delivery')
      .values({
        source_number,
        position,
        subscription_number: subscription,
        ...fresh,
        reason: null,
        attempts: 0,
        replays: 1,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['source_number', 'position', 'subscription_number'])
          .doUpdateSet({ ...fresh, reason: null, replays: sql`delivery.replays + 1` }),
      )
      .execute();
    await endPause(transaction, [subscription]);
  });
  return { replayed: 1, has_more: false };
}

/** Throws a RelayError (`conflict`) for an event that was erased. */
async function mustBeKept(
  db: Kysely<Tables>,
  { source_number, position }: EventKey,
): Promise<void> {
  const erased = await db
    .selectFrom('event')
    .select('id')
    .where('source_number', '=', source_number)
    .where('position', '=', position)
    .where('body', 'is', null)
    .executeTakeFirst();
  if (erased)
    throw new RelayError('conflict', 'The event was erased, so nothing can be delivered.');
}
