import { Hono } from 'hono';
import { apiApp } from './api/api-app.ts';
import type { RelayContext } from './context.ts';
import { Refusal } from './http/refusal.ts';
import { toProblem } from './http/to-problem.ts';
import { ingressApp } from './ingress/ingress-app.ts';
import { type OperatorOptions, operatorApp } from './operator/operator-app.ts';
import type { TargetRules } from './targets/target-rules.ts';

export interface AppOptions {
  readonly rules: TargetRules;
  readonly takesEvents: boolean;
  readonly operator: OperatorOptions;
}

/** Everything that answers; which half of it depends on the role. */
export function relayApp(
  context: RelayContext,
  { rules, takesEvents, operator }: AppOptions,
): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await context.pool.query('SELECT 1');
    return c.json({ status: 'ok' });
  });
  if (takesEvents) {
    app.route('/', ingressApp(context));
    app.route('/api/v1', apiApp(context, rules));
    app.route('/', operatorApp(context, operator));
  }
  app.notFound((c) =>
    new Refusal(404, 'not-found', `The relay has no ${c.req.method} ${c.req.path}.`).toResponse(),
  );
  app.onError((error) => toProblem(error, context.report));
  return app;
}
