import { Hono } from 'hono';
import * as z from 'zod';
import { check } from '../http/check.ts';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';

const address = z.strictObject({ url: z.string(), access: z.string().optional() });

/** `GET`, `POST /webhooks`, `DELETE /webhooks/{id}`, `GET /deliveries`, `POST /deliveries/{id}/redeliver`. */
export function webhookRoutes({ webhooks, deliveries }: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.get('/webhooks', (c) => c.json({ data: webhooks.list() }));
  app.post('/webhooks', (c) =>
    c.json(webhooks.add(check(address, readJsonObject(c.env.exchange))), 201),
  );
  app.delete('/webhooks/:id', (c) => {
    webhooks.remove(c.req.param('id'));
    return c.body(null, 204);
  });
  app.get('/deliveries', (c) => c.json({ data: deliveries.list() }));
  app.post('/deliveries/:id/redeliver', async (c) =>
    c.json(await deliveries.redeliver(c.req.param('id'))),
  );
  return app;
}
