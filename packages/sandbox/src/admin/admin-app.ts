import { Hono } from 'hono';
import type { ExchangeEnv } from '../http/exchange.ts';
import { basePath } from '../http/exchange.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Sandbox } from '../sandbox.ts';
import { clockRoutes } from './clock.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { guardAdmin } from './guard.ts';
import { recordRoutes } from './records.ts';
import { stateRoutes } from './state.ts';
import { webhookRoutes } from './webhooks.ts';

/** The administration under /_sandbox: all that the sandbox offers to code, over HTTP. */
export function adminApp(sandbox: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.use(async (c, next) => {
    guardAdmin(c.env.exchange);
    await next();
  });
  app.get('/', (c) => {
    const { origin } = c.env.exchange.url;
    return c.json({
      base_url: `${origin}${basePath}`,
      now: new Date(sandbox.clock.now()).toISOString(),
      frozen: sandbox.clock.isFrozen,
      accesses: sandbox.accesses.map(({ id, name, scopes }) => ({ id, name, scopes })),
      variants: sandbox.variants,
    });
  });
  app.get('/openapi.json', (c) =>
    c.json(openApiDocument(`${c.env.exchange.url.origin}${basePath}`)),
  );
  app.get('/accesses', (c) => c.json({ data: sandbox.accesses }));
  app.get('/journal', (c) => c.json({ data: sandbox.journal.list() }));
  app.delete('/journal', (c) => {
    sandbox.journal.clear();
    return c.body(null, 204);
  });
  app.route('/clock', clockRoutes(sandbox));
  app.route('/events', eventRoutes(sandbox));
  app.route('/faults', faultRoutes(sandbox));
  app.route('/', recordRoutes(sandbox));
  app.route('/', stateRoutes(sandbox));
  app.route('/', webhookRoutes(sandbox));
  return app;
}
