import { parseEvent } from '@screen-advertising/core';
import { Hono } from 'hono';
import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { EventTable } from '../database/tables.ts';
import { leastUuidAt, publicId } from '../database/uuid.ts';
import { replay } from '../subscriptions/replay.ts';
import type { ApiEnv } from './authenticate.ts';
import { findEvent, findSubscription } from './find.ts';
import { pageOf, readCursor } from './page.ts';
import { check, eventQuery, readBody, replayEventBody } from './read-input.ts';

const position = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function eventRoutes(context: RelayContext): Hono<ApiEnv> {
  const { db } = context;
  const app = new Hono<ApiEnv>();
  app.get('/', async (c) => {
    const { limit, cursor, type, from, to } = check(eventQuery, c.req.query());
    let query = db
      .selectFrom('event')
      .selectAll()
      .where('source_number', '=', c.get('caller').source)
      .orderBy('source_number', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (type !== undefined) query = query.where('type', '=', type).orderBy('type');
    if (from !== undefined) query = query.where('id', '>=', leastUuidAt(from));
    if (to !== undefined) query = query.where('id', '<', leastUuidAt(to));
    if (cursor !== undefined) query = query.where('id', '<', readCursor(cursor, position)[0]);
    return c.json(pageOf(await query.execute(), limit, eventRecord, ({ id }) => id));
  });
  app.get('/:id', async (c) =>
    c.json(eventRecord(await findEvent(context, c.get('caller').source, c.req.param('id')))),
  );
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const { subscription_id: to } = await readBody(replayEventBody, c.req.raw);
    const { id: event } = await findEvent(context, source, c.req.param('id'));
    const subscription =
      to === undefined ? undefined : (await findSubscription(context, source, to)).number;
    return c.json({ replayed: await replay(context, { source, event, subscription }) }, 202);
  });
  return app;
}

function eventRecord({ id, type, received_at, body }: Selectable<EventTable>) {
  const { data, payload } = parseEvent(body);
  return { id: publicId('evt', id), type, received_at: received_at.toISOString(), data, payload };
}
