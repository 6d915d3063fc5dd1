import { type Context, Hono } from 'hono';
import { type CommandName, clockState, commands } from '../commands.ts';
import { basePath, type ExchangeEnv, readJsonObject } from '../http/exchange.ts';
import { guardAdmin } from '../http/guards.ts';
import { openApiDocument } from '../openapi.ts';
import type { Sandbox } from '../sandbox.ts';

const reads: Record<string, (sandbox: Sandbox, origin: string) => object> = {
  '/': ({ clock, accesses, variants }, origin) => ({
    base_url: `${origin}${basePath}`,
    ...clockState(clock),
    accesses: accesses.map(({ id, name, scopes }) => ({ id, name, scopes })),
    variants,
  }),
  '/openapi.json': (_sandbox, origin) => openApiDocument(`${origin}${basePath}`),
  '/accesses': ({ accesses }) => accesses,
  '/journal': ({ journal }) => journal.list(),
  '/clock': ({ clock }) => clockState(clock),
  '/faults': ({ faults }) => faults.list(),
  '/screens': ({ screens }) => screens.list(),
  '/coupons': ({ coupons }) => coupons.list(),
  '/users': ({ users }) => users.list(),
  '/campaign-requests': ({ campaignRequests }) => campaignRequests.list(),
  '/webhooks': ({ webhooks }) => webhooks.list(),
  '/deliveries': ({ deliveries }) => deliveries.list(),
  '/state': (sandbox) => sandbox.snapshot(),
};

type Change = readonly [method: string, path: string, takes?: 'body', status?: 201];

/** The route of every command. The compiler asks for a missing one. */
const changes: Record<CommandName, Change> = {
  'fire-event': ['POST', '/events', 'body', 201],
  'advance-clock': ['POST', '/clock/advance', 'body'],
  'freeze-clock': ['POST', '/clock/freeze'],
  'run-clock': ['POST', '/clock/run'],
  'rotate-client-secret': ['POST', '/accesses/:id/rotate-client-secret'],
  'add-webhook': ['POST', '/webhooks', 'body', 201],
  'remove-webhook': ['DELETE', '/webhooks/:id'],
  redeliver: ['POST', '/deliveries/:id/redeliver'],
  'redeem-coupon': ['POST', '/coupons/:code/redeem'],
  'add-screen': ['POST', '/screens', 'body', 201],
  'remove-screen': ['DELETE', '/screens/:id'],
  'add-user': ['POST', '/users', 'body', 201],
  'add-campaign-request': ['POST', '/campaign-requests', 'body', 201],
  'add-fault': ['POST', '/faults', 'body', 201],
  'remove-fault': ['DELETE', '/faults/:id'],
  'clear-faults': ['DELETE', '/faults'],
  'clear-journal': ['DELETE', '/journal'],
  restore: ['PUT', '/state', 'body'],
  reset: ['POST', '/reset'],
};

/** The admin API under /_sandbox: everything that the sandbox offers to code, over HTTP. */
export function adminApp(sandbox: Sandbox, isOpen: boolean): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.use(async (c, next) => {
    guardAdmin(c.env.exchange, isOpen);
    await next();
  });
  for (const [path, read] of Object.entries(reads)) {
    app.get(path, (c) => respond(c, read(sandbox, c.env.exchange.url.origin), 200));
  }
  for (const [name, [method, path, takes, status = 200]] of Object.entries(changes)) {
    app.on(method, path, async (c) => {
      const input = takes === 'body' ? readJsonObject(c.env.exchange) : c.req.param();
      return respond(c, await commands[name as CommandName](sandbox, input), status);
    });
  }
  return app;
}

/** Wraps a list in `data`. An undefined result has no body. */
function respond(c: Context, result: unknown, status: 200 | 201): Response {
  if (result === undefined) return c.body(null, 204);
  return c.json(Array.isArray(result) ? { data: result } : (result as object), status);
}
