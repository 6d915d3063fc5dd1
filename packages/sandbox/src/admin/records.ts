import { Hono } from 'hono';
import { check } from '../http/check.ts';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';
import { campaignRequestFields, screenFields, userFields } from './record-fields.ts';

/** What the service holds: lists of each kind, additions, and a few changes. */
export function recordRoutes(sandbox: Sandbox): Hono<ExchangeEnv> {
  const { screens, coupons, users, campaignRequests } = sandbox;
  const app = new Hono<ExchangeEnv>();

  app.get('/screens', (c) => c.json({ data: screens.list() }));
  app.post('/screens', (c) =>
    c.json(screens.add(check(screenFields, readJsonObject(c.env.exchange))), 201),
  );
  app.delete('/screens/:id', (c) => {
    screens.remove(c.req.param('id'));
    return c.body(null, 204);
  });

  app.get('/coupons', (c) => c.json({ data: coupons.list() }));
  app.post('/coupons/:code/redeem', async (c) =>
    c.json({ data: await coupons.redeem(c.req.param('code')) }),
  );

  app.get('/users', (c) => c.json({ data: users.list() }));
  app.post('/users', (c) =>
    c.json(users.add(check(userFields, readJsonObject(c.env.exchange))), 201),
  );

  app.get('/campaign-requests', (c) => c.json({ data: campaignRequests.list() }));
  app.post('/campaign-requests', (c) =>
    c.json(campaignRequests.add(check(campaignRequestFields, readJsonObject(c.env.exchange))), 201),
  );
  return app;
}
