import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { findDelivery, mustBeOn } from '../records/find.ts';
import { deliveryQuery } from '../records/input-schemas.ts';
import { listDeliveries } from '../records/list-deliveries.ts';
import { replay } from '../subscriptions/replay.ts';
import type { ApiEnv } from './authenticate.ts';
import { readQuery } from './read-input.ts';

export function deliveryRoutes(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/', async (c) =>
    c.json(
      await listDeliveries(context, c.get('caller').source, readQuery(deliveryQuery, c.req.url)),
    ),
  );
  app.post('/:id/replay', async (c) => {
    const { source } = c.get('caller');
    const { event, subscription } = await findDelivery(context, source, c.req.param('id'));
    const { number } = mustBeOn(subscription);
    return c.json(
      { replayed: await replay(context, { source, event, subscription: number }) },
      202,
    );
  });
  return app;
}
