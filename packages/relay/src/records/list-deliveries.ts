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
  /** How often a person asked for a replay. */
  readonly replays: number;
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

const noResponse = sql<null>`NULL`.as('response');

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
  const { data, pagination } = pageOf(await query.execute(), input.limit, (row) => row, keyOf);
  const records = await recordsOf(context, source, data, noResponse);
  return { data: records.map(withoutResponses), pagination };
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
  const [record] = await recordsOf(context, source, [row], 'response');
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

/**
 * Adds the type of each event and the attempts. These statements name the events, so PostgreSQL opens
 * only their partitions: one that joins all of them takes five times as long to plan. What has been
 * pruned in between is left out.
 */
async function recordsOf(
  { db }: RelayContext,
  source: number,
  rows: readonly DeliveryRow[],
  response: 'response' | typeof noResponse,
): Promise<DeliveryWithResponses[]> {
  const events = [...new Set(rows.map((row) => row.event_id))];
  const subscriptions = [...new Set(rows.map((row) => row.subscription_number))];
  const found = await db
    .selectFrom('event')
    .select(['id', 'type'])
    .where('source_number', '=', source)
    .where(sql<boolean>`id = ANY (${events}::uuid[])`)
    .execute();
  const types = new Map(found.map(({ id, type }) => [id, type]));
  const attempts = await db
    .selectFrom('attempt')
    .select(['event_id', 'subscription_number', 'number'])
    .select(['at', 'status', 'error', 'duration_ms', response])
    .where('source_number', '=', source)
    .where(sql<boolean>`event_id = ANY (${events}::uuid[])`)
    .where(sql<boolean>`subscription_number = ANY (${subscriptions}::integer[])`)
    .orderBy('number')
    .execute();
  const byDelivery = Map.groupBy(attempts, keyOf);
  return rows.flatMap((row) => {
    const type = types.get(row.event_id);
    // Later attempts are newer than the state of the delivery.
    const made = (byDelivery.get(keyOf(row)) ?? []).filter(({ number }) => number <= row.attempts);
    return type === undefined ? [] : [deliveryRecord(row, type, made)];
  });
}

function keyOf(row: Pick<AttemptTable, 'event_id' | 'subscription_number'>): string {
  return `${row.event_id} ${row.subscription_number}`;
}

function deliveryRecord(
  row: DeliveryRow,
  type: string,
  attempts: readonly Omit<AttemptTable, 'source_number'>[],
): DeliveryWithResponses {
  return {
    id: deliveryId({ event: row.event_id, subscription: row.subscription_number }),
    event_id: publicId('evt', row.event_id),
    event_type: type,
    subscription_id: publicId('sub', row.subscription_id),
    state: row.state,
    reason: row.reason,
    replays: row.replays,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    attempts: attempts.map(({ at, status, error, duration_ms, response }) => ({
      at: at.toISOString(),
      status,
      error,
      duration_ms,
      response,
    })),
  };
}

/** A page of deliveries would be long with them, and slow to read. */
function withoutResponses(delivery: DeliveryWithResponses): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts.map(({ response: _, ...more }) => more) };
}
