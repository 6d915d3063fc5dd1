import { Hono } from 'hono';
import { apiApp } from './api/api-app.ts';
import type { RelayContext } from './context.ts';
import { healthApp } from './health-app.ts';
import { toProblem } from './http/to-problem.ts';
import { whyNotFound } from './http/why-not-found.ts';
import { ingressApp } from './ingress/ingress-app.ts';
import { observeIngest } from './ingress/observe-ingest.ts';
import type { Metrics } from './observe/metrics.ts';
import { openApiDocument } from './openapi/document.ts';
import { type OperatorOptions, operatorApp } from './operator/operator-app.ts';

export interface AppOptions {
  readonly takesEvents: boolean;
  readonly metrics: Metrics;
  readonly operator: OperatorOptions;
}

/** All routes that this process serves, which depends on its role. */
export function relayApp(
  context: RelayContext,
  { takesEvents, metrics, operator }: AppOptions,
): Hono {
  const app = new Hono();
  app.route('/', healthApp(context, metrics));
  app.get('/openapi.json', (c) => c.json(openApiDocument()));
  if (takesEvents) {
    app.use('/in/*', observeIngest(context.observer));
    app.route('/', ingressApp(context));
    app.route('/api/v1', apiApp(context));
    app.route('/', operatorApp(context, operator));
  }
  app.notFound((c) => whyNotFound(app, c.req.method, c.req.path).toResponse());
  app.onError((error) => toProblem(error, context.report));
  return app;
}
