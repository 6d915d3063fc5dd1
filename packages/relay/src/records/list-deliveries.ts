import { type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import { deliveryId } from '../database/delivery-id.ts';
import type { AttemptTable, DeliveryState, DeliveryTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import { findDelivery, findEvent, findSubscription } from './find.ts';
import type { deliveryQuery } from './input-schemas.ts';
import { type Page, pageOf, readCursor } from './page.ts';

/** A delivery as the API shows it. */
export interface DeliveryRecord {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly subscription_id: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly AttemptRecord[];
}

/** One delivery, with what the subscriber responded to each attempt. */
export interface DeliveryWithResponses extends DeliveryRecord {
  readonly attempts: readonly (AttemptRecord & Pick<AttemptTable, 'response'>)[];
}

export type AttemptRecord = Pick<AttemptTable, 'status' | 'error' | 'duration_ms'> & {
  readonly at: string;
};

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const position = new RegExp(`^(${uuid}) (\\d{1,9})$`);

interface DeliveryRow extends Selectable<DeliveryTable> {
  readonly subscription_id: string;
  readonly type: string;
  readonly history: readonly (AttemptRecord & Pick<AttemptTable, 'response'>)[];
}

/** A page of a source's deliveries, by event, newest first. */
export async function listDeliveries(
  context: RelayContext,
  source: number,
  input: z.output<typeof deliveryQuery>,
): Promise<Page<DeliveryRecord>> {
  let query = deliveriesOf(context, source).limit(input.limit + 1);
  if (input.state) query = query.where('delivery.state', '=', input.state);
  if (input.subscription_id !== undefined) {
    const { number } = await findSubscription(context, source, input.subscription_id);
    query = query.where('delivery.subscription_number', '=', number);
  }
  if (input.event_id !== undefined) {
    const { id } = await findEvent(context, source, input.event_id);
    query = query.where('delivery.event_id', '=', id);
  }
  if (input.cursor !== undefined) {
    const [, event, subscription] = readCursor(input.cursor, position);
    query = query.where(
      sql<boolean>`(delivery.event_id, delivery.subscription_number) < (${event}::uuid, ${subscription}::integer)`,
    );
  }
  return pageOf(
    await query.execute(),
    input.limit,
    (row) => withoutResponses(deliveryRecord(row)),
    (row) => `${row.event_id} ${row.subscription_number}`,
  );
}

/** One of a source's deliveries. Throws a RelayError (`not_found`) for any other. */
export async function getDelivery(
  context: RelayContext,
  source: number,
  id: string,
): Promise<DeliveryWithResponses> {
  const { event, subscription } = await findDelivery(context, source, id);
  const row = await deliveriesOf(context, source)
    .where('delivery.event_id', '=', event)
    .where('delivery.subscription_number', '=', subscription.number)
    .executeTakeFirstOrThrow();
  return deliveryRecord(row);
}

function deliveriesOf({ db }: RelayContext, source: number) {
  return db
    .selectFrom('delivery')
    .innerJoin('subscription', 'subscription.number', 'delivery.subscription_number')
    .innerJoin('event', (join) =>
      join
        .onRef('event.source_number', '=', 'delivery.source_number')
        .onRef('event.id', '=', 'delivery.event_id'),
    )
    .where('delivery.source_number', '=', source)
    .selectAll('delivery')
    .select((row) => [
      'subscription.id as subscription_id',
      'event.type',
      jsonArrayFrom(
        row
          .selectFrom('attempt')
          .select([
            'attempt.at',
            'attempt.status',
            'attempt.error',
            'attempt.duration_ms',
            'attempt.response',
          ])
          .whereRef('attempt.source_number', '=', 'delivery.source_number')
          .whereRef('attempt.event_id', '=', 'delivery.event_id')
          .whereRef('attempt.subscription_number', '=', 'delivery.subscription_number')
          .orderBy('attempt.number'),
      ).as('history'),
    ])
    .orderBy('delivery.source_number', 'desc')
    .orderBy('delivery.event_id', 'desc')
    .orderBy('delivery.subscription_number', 'desc');
}

function deliveryRecord(row: DeliveryRow): DeliveryWithResponses {
  return {
    id: deliveryId({ event: row.event_id, subscription: row.subscription_number }),
    event_id: publicId('evt', row.event_id),
    event_type: row.type,
    subscription_id: publicId('sub', row.subscription_id),
    state: row.state,
    reason: row.reason,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    attempts: row.history.map(({ at, ...more }) => ({ at: new Date(at).toISOString(), ...more })),
  };
}

/** A page of deliveries would be long with them. */
function withoutResponses(delivery: DeliveryWithResponses): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts.map(({ response: _, ...more }) => more) };
}
