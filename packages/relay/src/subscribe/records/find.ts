import type { Selectable } from 'kysely';
import { readDeliveryId, readSubscriptionId, uuidOf } from '../../base/ids.ts';
import { RelayError } from '../../base/relay-error.ts';
import type { EventTable, SubscriptionTable } from '../../base/tables.ts';
import type { RelayContext } from '../../context.ts';
import type { EventKey } from '../../log/database/log-position.ts';

import { mustReach, type Scope } from './rights.ts';

/**
 * A subscription within the scope in any state, by its ID of any generation. Throws a RelayError for
 * any other.
 */
export async function findRow(
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
      .executeTakeFirst());
  if (!row) throw noSubscription(id);
  mustReach(scope, row.token_number);
  return row;
}

/** The same, but throws for one that its subscriber has ended, too. */
export async function findSubscription(
  context: RelayContext,
  scope: Scope,
  id: string,
): Promise<Selectable<SubscriptionTable>> {
  const row = await findRow(context, scope, id);
  if (row.off_reason === 'unsubscribed') throw noSubscription(id);
  return row;
}

function noSubscription(id: string): RelayError {
  return new RelayError('not_found', `There is no subscription ${id}.`);
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

export function noDelivery(id: string): RelayError {
  return new RelayError('not_found', `There is no delivery ${id}, or it was pruned.`);
}
