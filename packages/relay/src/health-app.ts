import { Hono } from 'hono';
import type { RelayContext } from './context.ts';
import type { Metrics } from './observe/metrics.ts';
import { withinBound } from './observe/within-bound.ts';

/** Probes for machines: whether the process is alive, whether it is ready, and its metrics. */
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
