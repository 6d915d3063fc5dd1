import { Hono } from 'hono';
import * as z from 'zod';
import { check } from '../http/check.ts';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';

const dayMs = 24 * 60 * 60 * 1000;

const advance = z.strictObject({
  /** A year at the most: each retry on the way is made. */
  ms: z
    .number()
    .min(0)
    .max(366 * dayMs),
});

/** `GET /clock`, `POST /clock/freeze`, `/clock/run` and `/clock/advance` with `{ "ms": 60000 }`. */
export function clockRoutes({ clock }: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  const state = () => ({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen });
  app.get('/', (c) => c.json(state()));
  app.post('/freeze', (c) => {
    clock.freeze();
    return c.json(state());
  });
  app.post('/run', (c) => {
    clock.run();
    return c.json(state());
  });
  app.post('/advance', async (c) => {
    await clock.advance(check(advance, readJsonObject(c.env.exchange)).ms);
    return c.json(state());
  });
  return app;
}
