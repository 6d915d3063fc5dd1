import { Hono } from 'hono';
import { apiApp } from './api/api-app.ts';
import type { RelayContext } from './context.ts';
import { Refusal } from './http/refusal.ts';
import { toProblem } from './http/to-problem.ts';
import { ingressApp } from './ingress/ingress-app.ts';
import { healthApp } from './observe/health.ts';
import { observeIngest } from './observe/ingest-results.ts';
import type { Metrics } from './observe/metrics.ts';
import type { TargetRules } from './targets/target-rules.ts';

export interface AppOptions {
  readonly rules: TargetRules;
  readonly takesEvents: boolean;
  readonly metrics: Metrics;
}

/** Everything that answers; which half of it depends on the role. */
export function relayApp(context: RelayContext, { rules, takesEvents, metrics }: AppOptions): Hono {
  const app = new Hono();
  app.route('/', healthApp(context, metrics));
  if (takesEvents) {
    app.use('/in/*', observeIngest(context.observer));
    app.route('/', ingressApp(context));
    app.route('/api/v1', apiApp(context, rules));
  }
  app.notFound((c) =>
    new Refusal(404, 'not-found', `The relay has no ${c.req.method} ${c.req.path}.`).toResponse(),
  );
  app.onError((error) => toProblem(error, context.report));
  return app;
}
