import { Hono } from 'hono';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';
import type { CampaignRequestFields, ScreenFields, UserFields } from '../state/stored-records.ts';

/** What the service holds: lists of each kind, additions, and a few changes. */
export function recordRoutes(sandbox: Sandbox): Hono<ExchangeEnv> {
  const { screens, coupons, users, campaignRequests } = sandbox;
  const app = new Hono<ExchangeEnv>();

  // Adding checks the fields, wherever they come from.
  app.get('/screens', (c) => c.json({ data: screens.list() }));
  app.post('/screens', (c) =>
    c.json(screens.add(readJsonObject(c.env.exchange) as ScreenFields), 201),
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
  app.post('/users', (c) => c.json(users.add(readJsonObject(c.env.exchange) as UserFields), 201));

  app.get('/campaign-requests', (c) => c.json({ data: campaignRequests.list() }));
  app.post('/campaign-requests', (c) =>
    c.json(campaignRequests.add(readJsonObject(c.env.exchange) as CampaignRequestFields), 201),
  );
  return app;
}
