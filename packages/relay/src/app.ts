import { Hono } from 'hono';
import { apiApp } from './api/api-app.ts';
import type { RelayContext } from './context.ts';
import { toProblem } from './http/to-problem.ts';
import { whyNotFound } from './http/why-not-found.ts';
import { ingressApp } from './ingress/ingress-app.ts';
import { openApiDocument } from './openapi/document.ts';

/** Everything that answers; which half of it depends on the role. */
export function relayApp(context: RelayContext, takesEvents: boolean): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await context.pool.query('SELECT 1');
    return c.json({ status: 'ok' });
  });
  app.get('/openapi.json', (c) => c.json(openApiDocument()));
  if (takesEvents) {
    app.route('/', ingressApp(context));
    app.route('/api/v1', apiApp(context));
  }
  app.notFound((c) => whyNotFound(app, c.req.method, c.req.path).toResponse());
  app.onError((error) => toProblem(error, context.report));
  return app;
}
