import { operations } from '@screen-advertising/core';
import { Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import { ProblemResponseError } from '../http/problems.ts';
import { readBytes } from '../http/read-bytes.ts';
import { check } from '../records/input-schemas.ts';
import { scopeOf } from '../records/rights.ts';
import { type ApiEnv, authenticate, findCallers } from './authenticate.ts';
import { deliveryOperations, eventOperations } from './event-operations.ts';
import { ApiLimits } from './limits.ts';
import { type ApiOperation, operation } from './operation.ts';
import { subscriptionOperations } from './subscription-operations.ts';
import { Turns } from './turns.ts';

/** Every operation below /api/v1, by tag, then by method and path. */
export const apiOperations = {
  Connection: {
    'GET /me': operation({
      id: 'me',
      summary: 'Test a connection',
      description: 'Name, source, and rights of the token.',
      need: 'events',
      success: { 200: 'Me' },
      handle: ({ caller: { name, sourceName: source, rights } }) => ({
        name,
        source,
        rights: [...rights],
      }),
    }),
  },
  Subscriptions: subscriptionOperations,
  Events: eventOperations,
  Deliveries: deliveryOperations,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;

/** With separate connections, so that a write that waits for a lock stops no read. */
interface ApiContexts {
  readonly reading: RelayContext;
  readonly writing: RelayContext;
}

/** Everything under /api/v1. A token sees its own source; anything else is 404. */
export function apiApp({ reading, writing }: ApiContexts): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const limits = new ApiLimits(reading.clock);
  const reads = { context: reading, turns: new Turns('reads') };
  const writes = { context: writing, turns: new Turns('writes') };
  const findCaller = findCallers(reading);
  app.use(async (c, next) => {
    refuseServiceRequest(c.req.path);
    const address = c.env?.incoming?.socket.remoteAddress ?? '';
    c.set('caller', await authenticate(findCaller, limits, c.req.header('authorization'), address));
    await next();
  });
  const routes = Object.values(apiOperations).flatMap((operations) =>
    Object.entries<ApiOperation>(operations),
  );
  for (const [route, { need, query, body, success, handle }] of routes) {
    const [method = '', path = ''] = route.split(' ');
    const { context, turns } = method === 'GET' ? reads : writes;
    const [status = 200] = Object.keys(success).map(Number);
    app.on(method, path.replace('{id}', ':id'), async (c) => {
      c.status(status as StatusCode);
      const caller = c.get('caller');
      const scope = scopeOf(caller, need);
      const work = async () =>
        handle({
          context,
          caller,
          scope,
          id: c.req.param('id') ?? '',
          query: query ? readQuery(query, c.req.url) : {},
          readBody: async () => (body ? readBody(body, c.req.raw) : {}),
          setStatus: c.status,
        });
      const result = await turns.run(caller.token, work);
      return result === undefined ? c.body(null) : c.json(result);
    });
  }
  return app;
}

/** What the paths of the service start with, such as `screens`; tokens come from `/oauth/token`. */
const resources = new Set([
  'oauth',
  ...Object.values(operations).map(({ path }) => path.split('/')[1]),
]);

/**
 * Both addresses end in /api/v1, and the relay would only refuse the key of a credential that names
 * the wrong one.
 */
function refuseServiceRequest(path: string): void {
  if (!resources.has(path.split('/')[3])) return;
  throw new ProblemResponseError(
    'not-found',
    'This is a relay, not the service. Enter the base URL of the service here, and this address in the fields of the relay.',
  );
}

const longestBody = 64 * 1024;

/** The parameters of a URL. Each may be given once. */
function readQuery<Schema extends z.ZodType>(schema: Schema, url: string): z.output<Schema> {
  const parameters = [...new URL(url).searchParams];
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new ProblemResponseError('invalid-parameter', `${twice}: send it only once.`);
  }
  return check(schema, Object.fromEntries(parameters));
}

/** The JSON body of a request; an empty one is an empty object. */
async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
): Promise<z.output<Schema>> {
  const text = Buffer.from(await readBytes(request, longestBody)).toString();
  let value: unknown = {};
  try {
    if (text !== '') value = JSON.parse(text);
  } catch {
    throw new ProblemResponseError('malformed-body', 'The body is not valid JSON.');
  }
  return check(schema, value);
}
