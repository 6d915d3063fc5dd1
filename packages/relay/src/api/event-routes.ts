import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { listEventsAfter } from '../records/events-after.ts';
import { findEvent, findSubscription, mustBeOn } from '../records/find.ts';
import { eventQuery, replayEventBody } from '../records/input-schemas.ts';
import { eventRecord, listEvents } from '../records/stored-events.ts';
import { replay } from '../subscriptions/replay.ts';
import { addDelivery } from '../subscriptions/replay-missing.ts';
import type { ApiEnv } from './authenticate.ts';
import { readBody, readQuery } from './read-input.ts';

export function eventRoutes(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/', async (c) => {
    const query = readQuery(eventQuery, c.req.url);
    const list = query.after === undefined ? listEvents : listEventsAfter;
    return c.json(await list(context, c.get('caller').source, query));
  });
  app.get('/:id', async (c) =>
    c.json(eventRecord(await findEvent(context, c.get('caller').source, c.req.param('id')))),
  );
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const { id: event } = await findEvent(context, source, c.req.param('id'));
    const { subscription_id: to } = await readBody(replayEventBody, c.req.raw);
    const subscription =
      to === undefined ? undefined : mustBeOn(await findSubscription(context, source, to)).number;
    if (subscription !== undefined) await addDelivery(context, source, event, subscription);
    return c.json(await replay(context, { source, event, subscription }), 202);
  });
  return app;
}
