import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type ListenOptions, listen, stopListening } from '@screen-advertising/server-kit';
import { Hono } from 'hono';
import { apiApp } from '../api/api-app.ts';
import { openApiDocument } from '../api/document.ts';
import { ProblemResponseError, toProblem, withQueryTimeLimit } from '../base/http.ts';
import type { RelayContext } from '../log/context.ts';
import { ingressApp, observeIngest } from '../log/ingress.ts';
import type { Metrics } from '../operate/metrics.ts';
import { type OperatorOptions, operatorApp } from '../page/operator-app.ts';

interface AppOptions {
  /** With the connections that store events. */
  readonly ingress: RelayContext;
  /** With the connections of the API and the page. */
  readonly requests: RelayContext;
  readonly takesEvents: boolean;
  /** Undefined if they are on another port. */
  readonly metrics: Metrics | undefined;
  readonly operator: OperatorOptions;
}

/** All routes that this process serves, which depends on its role. */
export function relayApp({ ingress, requests, takesEvents, metrics, operator }: AppOptions): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await withQueryTimeLimit(checkWrites(ingress));
    return c.json({ status: 'ok' });
  });
  if (metrics) app.route('/', metricsApp(metrics, requests));
  app.get('/openapi.json', (c) => c.json(openApiDocument()));
  if (takesEvents) {
    app.use('/in/*', observeIngest(ingress.observer));
    app.route('/', ingressApp(ingress));
    app.route('/api/v1', apiApp(requests));
    app.route('/', operatorApp(requests, operator));
  }
  app.notFound((c) => whyNotFound(app, c.req.method, c.req.path).toResponse());
  app.onError((error) => toProblem(error, ingress.report));
  return app;
}

export function metricsApp(metrics: Metrics, requests: RelayContext): Hono {
  const app = new Hono();
  return app.get('/metrics', () => metrics.show(requests));
}

/** Writes nothing, and fails where PostgreSQL accepts no change, such as on a standby. */
async function checkWrites({ pool }: RelayContext): Promise<void> {
  await pool.query('UPDATE source SET name = name WHERE false');
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

/** How long requests under way may take when the relay stops. */
const maxDrainMs = 10_000;

export class Servers {
  readonly #servers = new Set<Server>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Returns its URL. */
  async serve(app: Hono, address: ListenOptions): Promise<string> {
    const handle = async (request: Request, bindings: HttpBindings) => app.fetch(request, bindings);
    const { server, url } = await listen(
      // Hono rethrows errors from another realm instead of handling them.
      (request, bindings) =>
        handle(request, bindings).catch((error) => toProblem(error, this.#report)),
      address,
    );
    this.#servers.add(server);
    return url;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => stopListening(server, maxDrainMs)));
  }
}
