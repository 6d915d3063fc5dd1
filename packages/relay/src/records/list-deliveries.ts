import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import { deliveryId } from '../database/delivery-id.ts';
import type { AttemptTable, DeliveryState, DeliveryTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import { findDelivery, findEvent, findSubscription, noDelivery } from './find.ts';
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
  const { data, pagination } = pageOf(
    await query.execute(),
    input.limit,
    (row) => row,
    (row) => `${row.event_id} ${row.subscription_number}`,
  );
  return { data: (await recordsOf(context, source, data)).map(withoutResponses), pagination };
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
  const [record] = await recordsOf(context, source, [row]);
  if (record) return record;
  throw noDelivery(id);
}

function deliveriesOf({ db }: RelayContext, source: number) {
  return db
    .selectFrom('delivery')
    .innerJoin('subscription', 'subscription.number', 'delivery.subscription_number')
    .where('delivery.source_number', '=', source)
    .selectAll('delivery')
    .select('subscription.id as subscription_id')
    .orderBy('delivery.source_number', 'desc')
    .orderBy('delivery.event_id', 'desc')
    .orderBy('delivery.subscription_number', 'desc');
}

interface Details {
  readonly nth: number;
  readonly type: string;
  readonly attempts: readonly (AttemptRecord & Pick<AttemptTable, 'response'>)[];
}

/**
 * Adds the type of each event and the attempts. This second statement names the events, so PostgreSQL
 * opens only their partitions: to plan a statement that opens all takes five times as long.
 * What has been pruned in between is left out.
 */
async function recordsOf(
  { db }: RelayContext,
  source: number,
  rows: readonly DeliveryRow[],
): Promise<DeliveryWithResponses[]> {
  const events = rows.map((row) => row.event_id);
  const { rows: details } = await sql<Details>`
    SELECT delivery.nth::integer - 1 AS nth, event.type, (
      SELECT coalesce(json_agg(json_build_object('at', at, 'status', status, 'error', error,
        'duration_ms', duration_ms, 'response', response) ORDER BY number), '[]')
      FROM attempt
      WHERE source_number = ${source} AND event_id = ANY (${events}::uuid[])
        AND event_id = delivery.event AND subscription_number = delivery.subscription
        AND number <= delivery.attempts
    ) AS attempts
    FROM unnest(
      ${events}::uuid[], ${rows.map((row) => row.subscription_number)}::integer[],
      ${rows.map((row) => row.attempts)}::integer[]
    ) WITH ORDINALITY AS delivery (event, subscription, attempts, nth)
    JOIN event ON event.source_number = ${source} AND event.id = ANY (${events}::uuid[])
      AND event.id = delivery.event
    ORDER BY nth`.execute(db);
  return details.flatMap(({ nth, type, attempts }) => {
    const row = rows[nth];
    return row ? [deliveryRecord(row, type, attempts)] : [];
  });
}

function deliveryRecord(
  row: DeliveryRow,
  type: string,
  attempts: Details['attempts'],
): DeliveryWithResponses {
  return {
    id: deliveryId({ event: row.event_id, subscription: row.subscription_number }),
    event_id: publicId('evt', row.event_id),
    event_type: type,
    subscription_id: publicId('sub', row.subscription_id),
    state: row.state,
    reason: row.reason,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    attempts: attempts.map(({ at, ...more }) => ({ at: new Date(at).toISOString(), ...more })),
  };
}

/** A page of deliveries would be long with them. */
function withoutResponses(delivery: DeliveryWithResponses): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts.map(({ response: _, ...more }) => more) };
}
