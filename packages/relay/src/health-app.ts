import { Hono } from 'hono';
import type { RelayContext } from './context.ts';
import type { Metrics } from './observe/metrics.ts';
import { withinBound } from './observe/within-bound.ts';
import { WriteCheck } from './observe/write-check.ts';

/** Probes for machines: whether the process is alive, whether it is ready, and its metrics. */
export function healthApp(
  { ingress, reading }: { readonly ingress: RelayContext; readonly reading: RelayContext },
  metrics: Metrics,
): Hono {
  const app = new Hono();
  const writeCheck = new WriteCheck(ingress);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await withinBound(writeCheck.run());
    return c.json({ status: 'ok' });
  });
  app.get('/metrics', () => metrics.show(reading));
  return app;
}
