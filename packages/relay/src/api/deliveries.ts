import { Hono } from 'hono';
import { type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { RelayContext } from '../context.ts';
import type { AttemptTable, DeliveryTable } from '../database/tables.ts';
import { publicId } from '../database/uuid.ts';
import { Refusal } from '../http/refusal.ts';
import { replay } from '../subscriptions/replay.ts';
import type { ApiEnv } from './authenticate.ts';
import { findEvent, findSubscription } from './find.ts';
import { pageOf, readCursor } from './page.ts';
import { check, deliveryQuery } from './read-input.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const position = new RegExp(`^(${uuid}) (\\d{1,9})$`);
const idPattern = /^dlv_([0-9a-f]{32})_(\d{1,9})$/;

interface DeliveryRow extends Selectable<DeliveryTable> {
  readonly subscription_id: string;
  readonly type: string;
  readonly history: readonly (Pick<AttemptTable, 'status' | 'error' | 'duration_ms'> & {
    readonly at: string;
  })[];
}

export function deliveryRoutes(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/', async (c) => {
    const { source } = c.get('caller');
    const input = check(deliveryQuery, c.req.query());
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
    const rows = await query.execute();
    return c.json(
      pageOf(
        rows,
        input.limit,
        deliveryRecord,
        (row) => `${row.event_id} ${row.subscription_number}`,
      ),
    );
  });
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const id = c.req.param('id');
    const [, hex = '', number] = idPattern.exec(id) ?? [];
    const unknown = new Refusal(404, 'not-found', `There is no delivery ${id}.`);
    if (number === undefined) throw unknown;
    const { id: event } = await findEvent(context, source, `evt_${hex}`).catch(() => {
      throw unknown;
    });
    const replayed = await replay(context, { source, event, subscription: Number(number) });
    if (replayed === 0) {
      throw new Refusal(
        404,
        'not-found',
        `There is no delivery ${id}, or its subscription is off.`,
      );
    }
    return c.json({ replayed }, 202);
  });
  return app;
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
          .select(['attempt.at', 'attempt.status', 'attempt.error', 'attempt.duration_ms'])
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

function deliveryRecord(row: DeliveryRow) {
  return {
    id: `${publicId('dlv', row.event_id)}_${row.subscription_number}`,
    event_id: publicId('evt', row.event_id),
    event_type: row.type,
    subscription_id: publicId('sub', row.subscription_id),
    state: row.state,
    reason: row.reason,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    attempts: row.history.map(({ at, ...more }) => ({ at: new Date(at).toISOString(), ...more })),
  };
}
