import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { findDelivery, mustBeOn } from '../records/find.ts';
import { deliveryQuery, retryBody } from '../records/input-schemas.ts';
import { getDelivery, listDeliveries } from '../records/list-deliveries.ts';
import { replay } from '../subscriptions/replay.ts';
import { retryDeliveries } from '../subscriptions/retry-deliveries.ts';
import { retryDelivery } from '../subscriptions/retry-delivery.ts';
import type { ApiEnv } from './authenticate.ts';
import { readBody, readQuery } from './read-input.ts';

export function deliveryRoutes(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/', async (c) =>
    c.json(
      await listDeliveries(context, c.get('caller').source, readQuery(deliveryQuery, c.req.url)),
    ),
  );
  app.get('/:id', async (c) =>
    c.json(await getDelivery(context, c.get('caller').source, c.req.param('id'))),
  );
  app.post('/retry', async (c) => {
    const { ids } = await readBody(retryBody, c.req.raw);
    return c.json(await retryDeliveries(context, c.get('caller').source, ids), 202);
  });
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const { event, subscription } = await findDelivery(context, source, c.req.param('id'));
    const { number } = mustBeOn(subscription);
    return c.json(await replay(context, { source, event, subscription: number }), 202);
  });
  app.post('/:id/retry', async (c) => {
    const { source } = c.get('caller');
    const { event, subscription } = await findDelivery(context, source, c.req.param('id'));
    await retryDelivery(context, { source, event, subscription: subscription.number });
    return c.json({ retried: 1, has_more: false }, 202);
  });
  return app;
}
