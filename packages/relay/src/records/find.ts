import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import { readDeliveryId } from '../database/delivery-id.ts';
import type { EventKey } from '../database/log-position.ts';
import type { EventTable, SubscriptionTable } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';
import { RelayError } from '../relay-error.ts';

/** A subscription of the source. Throws a RelayError (`not_found`) for any other, and for one that was deleted. */
export async function findSubscription(
  { db }: RelayContext,
  source: number,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const uuid = uuidOf('sub', id);
  const row =
    uuid &&
    (await db
      .selectFrom('subscription')
      .selectAll()
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .where('deleted_at', 'is', null)
      .executeTakeFirst());
  if (row) return row;
  throw new RelayError('not_found', `There is no subscription ${id}.`);
}

/** Throws a RelayError (`conflict`) for a subscription that is off: a replay would send nothing. */
export function mustBeOn(
  subscription: Selectable<SubscriptionTable>,
  how = 'PATCH /api/v1/subscriptions/{id}',
): Selectable<SubscriptionTable> {
  if (subscription.state === 'active') return subscription;
  const detail =
    subscription.deleted_at === null
      ? `The subscription is off. Switch it on with ${how}, then replay.`
      : 'The subscription was deleted, so its target gets no more deliveries.';
  throw new RelayError('conflict', detail);
}

/** An event of the source. Throws a RelayError (`not_found`) for any other. */
export async function findEvent(
  { db }: RelayContext,
  source: number,
  id: string,
): Promise<Selectable<EventTable>> {
  const uuid = uuidOf('evt', id);
  const row =
    uuid &&
    (await db
      .selectFrom('event')
      .selectAll()
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .executeTakeFirst());
  if (row) return row;
  throw new RelayError('not_found', `There is no event ${id}, or it was pruned.`);
}

/** The event and subscription of one of the source's deliveries. Throws a RelayError (`not_found`) for any other. */
export async function findDelivery(
  { db }: RelayContext,
  source: number,
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
      .where('event.source_number', '=', source)
      .where('delivery.subscription_number', '=', key.subscription)
      .executeTakeFirst());
  if (!found) throw noDelivery(id);
  const { event_position: position, ...subscription } = found;
  return { event: { source_number: source, position }, subscription };
}

export function noDelivery(id: string): RelayError {
  return new RelayError('not_found', `There is no delivery ${id}, or it was pruned.`);
}
