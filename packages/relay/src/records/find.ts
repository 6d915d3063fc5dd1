import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import { type DeliveryKey, readDeliveryId, readSubscriptionId, uuidOf } from '../database/ids.ts';
import type { EventKey } from '../database/log-position.ts';
import { isSubscribed } from '../database/reading-subscriptions.ts';
import type { SubscriptionTable } from '../database/subscription-tables.ts';
import type { EventTable } from '../database/tables.ts';
import { RelayError } from '../relay-error.ts';
import { mustReach, type Scope } from './rights.ts';

/**
 * A subscription within the scope, by its ID of any generation. Throws a RelayError for any other, and
 * for one that its subscriber has ended.
 */
export async function findSubscription(
  { db }: RelayContext,
  scope: Scope,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const uuid = readSubscriptionId(id)?.id;
  const row =
    uuid &&
    (await db
      .selectFrom('subscription')
      .selectAll()
      .where('id', '=', uuid)
      .$if(scope.source !== undefined, (query) =>
        query.where('source_number', '=', scope.source ?? 0),
      )
      .where(isSubscribed)
      .executeTakeFirst());
  if (!row) throw new RelayError('not_found', `There is no subscription ${id}.`);
  mustReach(scope, row.token_number);
  return row;
}

/** Throws a RelayError (`conflict`) for a subscription that is off: a replay would send nothing. */
export function mustBeOn(
  subscription: Selectable<SubscriptionTable>,
): Selectable<SubscriptionTable> {
  if (subscription.state === 'active') return subscription;
  const detail =
    subscription.off_reason !== 'unsubscribed'
      ? 'The subscription is off. Switch it on ("subscriptions on ID", or PATCH with state "active"), then replay.'
      : 'The subscription was deleted, so its target gets no more deliveries.';
  throw new RelayError('conflict', detail);
}

/** An event of the source, or of any. Throws a RelayError (`not_found`) for any other. */
export async function findEvent(
  { db }: RelayContext,
  source: number | undefined,
  id: string,
): Promise<Selectable<EventTable>> {
  const uuid = uuidOf('evt', id);
  const row =
    uuid &&
    (await db
      .selectFrom('event')
      .selectAll()
      .where('id', '=', uuid)
      .$if(source !== undefined, (query) => query.where('source_number', '=', source ?? 0))
      .executeTakeFirst());
  if (row) return row;
  throw new RelayError('not_found', `There is no event ${id}, or it was pruned.`);
}

/** The event and subscription of a delivery within the scope. Throws a RelayError for any other. */
export async function findDelivery(
  { db }: RelayContext,
  scope: Scope,
  id: string,
): Promise<{ event: EventKey; subscription: Selectable<SubscriptionTable> }> {
  const key = readDeliveryId(id);
  const found =
    key &&
    (await db
      .selectFrom('event')
      .innerJoin('delivery', (join) =>
        join
          .onRef('delivery.source_number', '=', 'event.source_number')
          .onRef('delivery.position', '=', 'event.position'),
      )
      .innerJoin('subscription', 'subscription.number', 'delivery.subscription_number')
      .selectAll('subscription')
      .select('event.position as event_position')
      .where('event.id', '=', key.event)
      .$if(scope.source !== undefined, (query) =>
        query.where('event.source_number', '=', scope.source ?? 0),
      )
      .where('delivery.subscription_number', '=', key.subscription)
      .executeTakeFirst());
  if (!found) throw noDelivery(id);
  const { event_position: position, ...subscription } = found;
  mustReach(scope, subscription.token_number);
  return { event: { source_number: subscription.source_number, position }, subscription };
}

/** Throws a RelayError (`forbidden`) if one of the deliveries is outside the scope. */
export async function mustReachAll(
  { db }: RelayContext,
  scope: Scope,
  deliveries: readonly DeliveryKey[],
): Promise<void> {
  const { source, own } = scope;
  if (!own || source === undefined) return;
  const subscriptions = deliveries.map(({ subscription }) => subscription);
  const tokens = await db
    .selectFrom('subscription')
    .select('token_number')
    .where('number', 'in', subscriptions)
    .where('source_number', '=', source)
    .execute();
  for (const { token_number } of tokens) mustReach(scope, token_number);
}

export function noDelivery(id: string): RelayError {
  return new RelayError('not_found', `There is no delivery ${id}, or it was pruned.`);
}
