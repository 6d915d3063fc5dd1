import { Hono } from 'hono';
import type { ExchangeEnv } from '../http/exchange.ts';
import type { Sandbox } from '../sandbox.ts';
import { guardAdmin } from './guard.ts';

/** The administration under /_sandbox. */
export function adminApp(sandbox: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.use(async (c, next) => {
    guardAdmin(c.env.exchange);
    await next();
  });
  app.get('/journal', (c) => c.json({ data: sandbox.journal.list() }));
  return app;
}
