import {
  type DeliveryRecord,
  type DeliveryWithResponses,
  defaultLimit,
  type InputOf,
  momentOf,
  type Page,
  pageOf,
  readCursor,
} from '../../base/contract.ts';
import { deliveryId, publicId, subscriptionId } from '../../base/ids.ts';
import type { RelayContext } from '../../context.ts';
import { type DeliveryRow, keyOf, listDeliveryRows, readKey } from '../../log/delivery-rows.ts';

import { findDelivery, findEvent, findSubscription, noDelivery } from './find.ts';
import type { Scope } from './rights.ts';

/** A page of the deliveries within the scope, by event, newest first. */
export async function listDeliveries(
  context: RelayContext,
  scope: Scope,
  input: InputOf<'deliveries.list'>,
): Promise<Page<DeliveryRecord>> {
  const { source } = scope;
  const { state, limit = defaultLimit, subscription_id, event_id, cursor, from, to } = input;
  const subscriptions =
    subscription_id === undefined
      ? await ownSubscriptions(context, scope)
      : [(await findSubscription(context, scope, subscription_id)).number];
  const position =
    event_id === undefined ? undefined : (await findEvent(context, source, event_id)).position;
  const rows = await listDeliveryRows(context, {
    state,
    source,
    position,
    subscriptions,
    from: momentOf(from),
    to: momentOf(to),
    after: readCursor(cursor, readKey),
    limit: limit + 1,
  });
  return pageOf(rows, limit, (row) => withoutResponses(deliveryRecord(row)), keyOf);
}

/** With deleted ones, whose deliveries stay; undefined for all of the source. */
async function ownSubscriptions(
  { db }: RelayContext,
  { own }: Scope,
): Promise<readonly number[] | undefined> {
  if (!own) return undefined;
  const rows = await db
    .selectFrom('subscription')
    .select('number')
    .where('token_number', '=', own.token)
    .execute();
  return rows.map(({ number }) => number);
}

/** A delivery within the scope. Throws a RelayError for any other. */
export async function getDelivery(
  context: RelayContext,
  scope: Scope,
  id: string,
): Promise<DeliveryWithResponses> {
  const { event, subscription } = await findDelivery(context, scope, id);
  const [row] = await listDeliveryRows(context, {
    source: event.source_number,
    position: event.position,
    subscriptions: [subscription.number],
    limit: 1,
  });
  if (row) return deliveryRecord(row);
  throw noDelivery(id);
}

function deliveryRecord(row: DeliveryRow): DeliveryWithResponses {
  return {
    id: deliveryId({ event: row.event_id, subscription: row.subscription_number }),
    event_id: publicId('evt', row.event_id),
    event_type: row.type,
    subscription_id: subscriptionIdOf(row),
    state: row.state,
    reason: row.reason,
    replays: row.replays,
    next_attempt_at: row.attempt_at?.toISOString() ?? null,
    attempts: row.history.map(({ at, status, error, duration_ms, response }) => ({
      at: new Date(at).toISOString(),
      status,
      error,
      duration_ms,
      response,
    })),
  };
}

export function subscriptionIdOf(
  row: Pick<DeliveryRow, 'subscription_id' | 'subscription_generation'>,
): string {
  return subscriptionId({ id: row.subscription_id, generation: row.subscription_generation });
}

/** A page of deliveries would be long with them. */
function withoutResponses(delivery: DeliveryWithResponses): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts.map(({ response: _, ...more }) => more) };
}
