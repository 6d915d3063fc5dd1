import { type EventName, events } from '@screen-advertising/core';
import { Hono } from 'hono';
import * as z from 'zod';
import { check } from '../http/check.ts';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import type { Sandbox } from '../sandbox.ts';

const names = Object.keys(events) as [EventName, ...EventName[]];

const firing = z.strictObject({
  type: z.enum(names, `must be one of ${names.join(', ')}`),
  data: z.record(z.string(), z.unknown()).default({}),
  access: z.string().optional(),
});

/** `POST /events` with `{ "type": "coupon.redeemed", "data": {}, "access": "full" }`. */
export function eventRoutes(sandbox: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.post('/', async (c) => {
    const { type, data, access } = check(firing, readJsonObject(c.env.exchange));
    return c.json({ data: await sandbox.fire(type, data, { access }) }, 201);
  });
  return app;
}
