import { Hono } from 'hono';
import type { RelayContext } from './context.ts';
import { ProblemResponseError, toProblem } from './log/http/problems.ts';
import { ingressApp, observeIngest } from './log/ingress/ingress-app.ts';
import { apiApp } from './operate/api/api-app.ts';
import { openApiDocument } from './operate/api/document.ts';
import { type OperatorOptions, operatorApp } from './operate/page/operator-app.ts';
import type { Metrics } from './operate/watch/metrics.ts';
import { withinBound } from './operate/watch/within-bound.ts';
import { writeCheck } from './operate/watch/write-check.ts';

export interface AppOptions {
  /** With the connections that store events. */
  readonly ingress: RelayContext;
  /** With the connections of those who read. */
  readonly reading: RelayContext;
  /** With the connections of those who change something through the API. */
  readonly writing: RelayContext;
  readonly takesEvents: boolean;
  /** Undefined if they are on another port. */
  readonly metrics: Metrics | undefined;
  readonly operator: OperatorOptions;
}

/** All routes that this process serves, which depends on its role. */
export function relayApp({ ingress, takesEvents, metrics, operator, ...api }: AppOptions): Hono {
  const app = new Hono();
  const { reading } = api;
  const checkWrites = writeCheck(ingress);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await withinBound(checkWrites());
    return c.json({ status: 'ok' });
  });
  if (metrics) app.route('/', metricsApp(metrics, reading));
  app.get('/openapi.json', (c) => c.json(openApiDocument()));
  if (takesEvents) {
    app.use('/in/*', observeIngest(ingress.observer));
    app.route('/', ingressApp(ingress));
    app.route('/api/v1', apiApp(api));
    app.route('/', operatorApp(reading, operator));
  }
  app.notFound((c) => whyNotFound(app, c.req.method, c.req.path).toResponse());
  app.onError((error) => toProblem(error, ingress.report));
  return app;
}

export function metricsApp(metrics: Metrics, reading: RelayContext): Hono {
  const app = new Hono();
  return app.get('/metrics', () => metrics.show(reading));
}

/** A 405 with the allowed methods if another method serves the path; otherwise a 404. */
function whyNotFound({ routes }: Hono, method: string, path: string): ProblemResponseError {
  const methods = routes
    .filter((route) => route.method !== 'ALL' && matches(route.path, path))
    .map((route) => route.method);
  const allowed = [
    ...new Set(methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name))),
  ];
  if (allowed.length === 0) {
    return new ProblemResponseError('not-found', `The relay has no ${method} ${path}.`);
  }
  const list = allowed.sort().join(', ');
  return new ProblemResponseError('method-not-allowed', `${path} takes ${list}, not ${method}.`, {
    headers: { allow: list },
  });
}

/** Whether a path has the segments of a route, such as `/events/:id`. */
function matches(route: string, path: string): boolean {
  const wanted = route.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) =>
      segment.startsWith(':') ? given[index] !== '' : segment === given[index],
    )
  );
}
