import { type EventName, events } from '@screen-advertising/core';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { FaultRule } from '../faults/faults.ts';
import { basePath, type ExchangeEnv, readJsonObject } from '../http/exchange.ts';
import { guardAdmin } from '../http/guards.ts';
import { ProblemResponseError, parseWithSchema } from '../http/problem-response-error.ts';
import type { Sandbox } from '../sandbox.ts';
import { openApiDocument } from '../service/openapi.ts';
import type { CampaignRequestFields, ScreenFields, UserFields } from '../state/records.ts';
import type { Snapshot } from '../state/stored-records.ts';

/** Throws a ProblemResponseError that says what is wrong with the input. */
type Command = (sandbox: Sandbox, input: object) => unknown;

function command<Input extends z.ZodType>(
  input: Input,
  run: (sandbox: Sandbox, input: z.output<Input>) => unknown,
): Command {
  return (sandbox, given) => run(sandbox, parseWithSchema(input, given));
}

/** Every retry on the way runs, so the advance needs a limit. */
const maxAdvanceMs = 366 * 24 * 60 * 60 * 1000;
const advance = z.strictObject({
  ms: z
    .number()
    .min(0, 'must be at least 0')
    .max(maxAdvanceMs, `must be at most ${maxAdvanceMs}, which is a year`),
});

const names = Object.keys(events) as [EventName, ...EventName[]];
const firing = z.strictObject({
  type: z.enum(names, `must be one of ${names.join(', ')}`),
  data: z.record(z.string(), z.unknown()).default({}),
  access: z.string().optional(),
});

const address = z.strictObject({
  url: z.string('is required'),
  access: z.string().optional(),
  name: z.string().optional(),
});
const byId = z.strictObject({ id: z.string() });
const byCode = z.strictObject({ code: z.string() });

/**
 * Actions outside the partner interface: over HTTP in the admin API, and through forms in the
 * inspector. Input without a schema here is validated where it is used.
 */
export const adminCommands = {
  'fire-event': command(firing, (sandbox, { type, data, access }) =>
    sandbox.fire(type, data, { access }),
  ),
  'advance-clock': command(advance, async ({ clock }, { ms }) => {
    await clock.advance(ms);
    return clockState(clock);
  }),
  'freeze-clock': ({ clock }) => {
    clock.freeze();
    return clockState(clock);
  },
  'run-clock': ({ clock }) => {
    clock.run();
    return clockState(clock);
  },
  'rotate-client-secret': command(byId, (sandbox, { id }) => sandbox.rotateClientSecret(id)),
  'add-webhook': command(address, ({ webhooks }, input) => webhooks.add(input)),
  'remove-webhook': command(byId, ({ webhooks }, { id }) => webhooks.remove(id)),
  redeliver: command(byId, ({ deliveries }, { id }) => deliveries.redeliver(id)),
  'redeem-coupon': command(byCode, ({ coupons }, { code }) => coupons.redeem(code)),
  'add-screen': ({ screens }, fields) => screens.add(fields as ScreenFields),
  'remove-screen': command(byId, ({ screens }, { id }) => screens.remove(id)),
  'add-user': ({ users }, fields) => users.add(fields as UserFields),
  'add-campaign-request': ({ campaignRequests }, fields) =>
    campaignRequests.add(fields as CampaignRequestFields),
  'add-fault': ({ faults }, rule) => faults.add(rule as FaultRule),
  'remove-fault': command(byId, ({ faults }, { id }) => {
    if (!faults.remove(id))
      throw new ProblemResponseError('not-found', `There is no fault rule ${id}.`);
  }),
  'clear-faults': ({ faults }) => faults.clear(),
  'clear-journal': ({ journal }) => journal.clear(),
  restore: (sandbox, snapshot) => sandbox.restore(snapshot as Snapshot),
  reset: (sandbox) => sandbox.reset(),
} satisfies Record<string, Command>;

export type AdminCommandName = keyof typeof adminCommands;

/** The sandbox's time, and whether it stands still. */
function clockState(clock: Sandbox['clock']) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
}

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
const changes: Record<AdminCommandName, Change> = {
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
      return respond(c, await adminCommands[name as AdminCommandName](sandbox, input), status);
    });
  }
  return app;
}

/** Wraps a list in `data`. An undefined result has no body. */
function respond(c: Context, result: unknown, status: 200 | 201): Response {
  if (result === undefined) return c.body(null, 204);
  return c.json(Array.isArray(result) ? { data: result } : (result as object), status);
}
