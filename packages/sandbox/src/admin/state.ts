import { Hono } from 'hono';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Snapshot } from '../state/snapshot.ts';

/** `GET /state` takes a snapshot, `PUT /state` restores one, `POST /reset` goes back to the seed. */
export function stateRoutes(sandbox: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.get('/state', (c) => c.json(sandbox.snapshot()));
  app.put('/state', (c) => {
    sandbox.restore(readJsonObject(c.env.exchange) as unknown as Snapshot);
    return c.body(null, 204);
  });
  app.post('/reset', (c) => {
    sandbox.reset();
    return c.body(null, 204);
  });
  return app;
}
