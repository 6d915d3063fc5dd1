import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { type ApiEnv, authenticate } from './authenticate.ts';
import { Callers } from './callers.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { ApiLimits } from './limits.ts';
import { refuseServiceRequests } from './refuse-service-requests.ts';
import { subscriptionRoutes } from './subscription-routes.ts';

/** What a token may do: look at the events of its source, and subscribe to them. */
const rights = ['events', 'subscriptions', 'deliveries', 'replay'] as const;

/** Everything under /api/v1. A token sees its own source; anything else is 404. */
export function apiApp(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const limits = new ApiLimits(context.clock);
  const callers = new Callers(context);
  app.use(refuseServiceRequests);
  app.use(async (c, next) => {
    const address = c.env?.incoming?.socket.remoteAddress ?? '';
    c.set('caller', await authenticate(callers, limits, c.req.header('authorization'), address));
    await next();
  });
  app.get('/me', (c) => {
    const { name, sourceName } = c.get('caller');
    return c.json({ name, source: sourceName, rights });
  });
  app.route('/subscriptions', subscriptionRoutes(context));
  app.route('/events', eventRoutes(context));
  app.route('/deliveries', deliveryRoutes(context));
  return app;
}
