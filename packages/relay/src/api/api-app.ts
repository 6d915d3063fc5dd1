import { operations } from '@screen-advertising/core';
import { type RelayOperation, relayContract } from '@screen-advertising/core/relay-contract';
import { Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { type OperationId, parseWithSchema, textToNumber } from '../base/contract.ts';
import { ProblemResponseError, readBytes } from '../base/http.ts';
import type { RelayContext } from '../log/context.ts';
import { accessScopeOf } from '../subscribe/rights.ts';
import { type ApiEnv, ApiLimits, authenticate, createCallerFinder } from './authenticate.ts';
import { handlerOf } from './handlers.ts';

/** Everything under /api/v1. A token sees its own source; anything else is 404. */
export function apiApp(context: RelayContext): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const limits = new ApiLimits(context.clock);
  const findCaller = createCallerFinder(context);
  app.use(async (c, next) => {
    refuseServiceRequest(c.req.path);
    const address = c.env?.incoming?.socket.remoteAddress ?? '';
    c.set('caller', await authenticate(findCaller, limits, c.req.header('authorization'), address));
    await next();
  });
  for (const operation of Object.values<RelayOperation>(relayContract)) {
    const { id: name, method, path, need, statuses: [status = 200] = [] } = operation;
    const handle = handlerOf(name as OperationId);
    app.on(method, path.replace('{id}', ':id'), async (c) => {
      c.status(status as StatusCode);
      const caller = c.get('caller');
      const scope = accessScopeOf(caller, need);
      const id = c.req.param('id') ?? '';
      const input = await readInput(operation, c.req.raw);
      const result = await handle({ context, caller, scope, id, input, setStatus: c.status });
      return result === undefined ? c.body(null) : c.json(result);
    });
  }
  return app;
}

/** Paths of the service start with these, such as `screens`; tokens come from `/oauth/token`. */
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

const maxBody = 64 * 1024;

/** From the query of a GET or DELETE, or else the JSON body, where an empty one is an empty object. */
async function readInput({ method, input }: RelayOperation, request: Request): Promise<unknown> {
  if (Object.keys(input.shape).length === 0) return {};
  if (method === 'GET' || method === 'DELETE') {
    return parseWithSchema(input, textToNumber(input, readQuery(request.url)));
  }
  const text = Buffer.from(await readBytes(request, maxBody)).toString();
  let value: unknown = {};
  try {
    if (text !== '') value = JSON.parse(text);
  } catch {
    throw new ProblemResponseError('malformed-body', 'The body is not valid JSON.');
  }
  return parseWithSchema(input, value);
}

/** The parameters of a URL. Each may be given once. */
function readQuery(url: string): Readonly<Record<string, string>> {
  const parameters = [...new URL(url).searchParams];
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return Object.fromEntries(parameters);
  throw new ProblemResponseError('invalid-parameter', `${twice}: send it only once.`);
}
