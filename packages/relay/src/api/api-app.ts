import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import type { TargetRules } from '../targets/target-rules.ts';
import { type ApiEnv, authenticate } from './authenticate.ts';
import { deliveryRoutes } from './deliveries.ts';
import { eventRoutes } from './events.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** What a token may do: look at the events of its source, and subscribe to them. */
const rights = ['events', 'subscriptions', 'deliveries', 'replay'] as const;

/** Everything under /api/v1. A token sees its own source; anything else is 404. */
export function apiApp(context: RelayContext, rules: TargetRules): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('caller', await authenticate(context, c.req.header('authorization')));
    await next();
  });
  app.get('/me', (c) => {
    const { name, sourceName } = c.get('caller');
    return c.json({ name, source: sourceName, rights });
  });
  app.route('/subscriptions', subscriptionRoutes(context, rules));
  app.route('/events', eventRoutes(context));
  app.route('/deliveries', deliveryRoutes(context));
  return app;
}
