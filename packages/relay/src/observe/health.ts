import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import type { Metrics } from './metrics.ts';
import { withinBound } from './within-bound.ts';

/** For machines: whether the process lives, whether it can work, and what it does. */
export function healthApp(context: RelayContext, metrics: Metrics): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await withinBound(context.pool.query('SELECT 1'));
    return c.json({ status: 'ok' });
  });
  app.get('/metrics', () => metrics.show(context));
  return app;
}
