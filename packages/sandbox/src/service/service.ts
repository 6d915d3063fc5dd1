import { type Operation, type OperationName, operations } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { Hono } from 'hono';
import type { PartnerAccess } from '../access/access.ts';
import { type ExchangeEnv, type HttpExchange, readJsonObject } from '../http/exchange.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { SandboxContext } from '../state/context.ts';
import {
  authenticate,
  checkScope,
  issueToken,
  sameSecret,
  withPresentSecret,
} from './authenticate.ts';
import { campaignRequestRoutes } from './campaign-requests.ts';
import { checkPercentAtMost100, couponRoutes } from './coupons.ts';
import { landingLinkRoutes } from './landing-links.ts';
import { checkInput, inputReader, type RouteCall, type Routes } from './route.ts';
import { screenRoutes } from './screens.ts';
import { userRoutes } from './users.ts';

/** One route per operation of the catalogue. The compiler asks for a missing one. */
const routes: Routes = {
  ...screenRoutes,
  ...couponRoutes,
  ...userRoutes,
  ...landingLinkRoutes,
  ...campaignRequestRoutes,
};

/** The partner interface, below its base URL. */
export function serviceApp(context: SandboxContext): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  const methods = new Map<string, string[]>();
  const add = (method: string, path: string, handle: Handler): void => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(pattern, [...(methods.get(pattern) ?? []), method]);
    app.on(method, pattern, (c) => handle(c.env.exchange, c.req.param()));
  };

  add(tokenEndpoint.method, tokenEndpoint.path, (exchange) => {
    exchange.operation = 'token';
    return handleTokenRequest(context, exchange);
  });
  for (const name of Object.keys(routes) as OperationName[]) {
    add(operations[name].method, operations[name].path, handlerFor(context, name));
  }
  for (const [pattern, allowed] of methods) {
    const allow = allowed.join(', ');
    app.all(pattern, (c) => {
      const detail = `${c.req.method} is not allowed here, only ${allow}.`;
      throw new ProblemResponseError('method-not-allowed', detail, { headers: { allow } });
    });
  }
  return app;
}

type Handler = (exchange: HttpExchange, pathParameters: Record<string, string>) => Response;

function handlerFor(context: SandboxContext, name: OperationName): Handler {
  const operation: Operation = operations[name];
  const handle = routes[name] as (call: RouteCall<unknown>) => Response;
  const readInput = inputReader(operation);
  return (exchange, pathParameters) => {
    exchange.operation = name;
    const access = authenticate(context, exchange.headers);
    exchange.accessId = access.id;
    context.limits.countCall(access.id, context.clock.now());
    checkScope(access, operation);
    const raw = readInput(exchange, pathParameters);
    if (name === 'coupon.create') checkPercentAtMost100(raw);
    const input = checkInput(context, operation, raw);
    return handle({ context, access, input, origin: exchange.url.origin });
  };
}

/** POST /oauth/token (section 4.1). */
function handleTokenRequest(context: SandboxContext, exchange: HttpExchange): Response {
  context.limits.countTokenRequest(exchange.remoteAddress ?? 'in-process', context.clock.now());
  const { client_id, client_secret } = readJsonObject(exchange);
  checkInput(context, tokenEndpoint, { client_id, client_secret });
  const access = findAccess(context, String(client_id), String(client_secret));
  exchange.accessId = access.id;
  return Response.json({
    access_token: issueToken(context, access),
    token_type: 'bearer',
    expires_in: tokenEndpoint.lifetimeSeconds,
    scope: access.scopes.join(' '),
  });
}

function findAccess(context: SandboxContext, id: string, secret: string): PartnerAccess {
  const access = context.accesses.find(({ clientId }) => clientId === id);
  if (access && sameSecret(withPresentSecret(context, access).clientSecret, secret)) return access;
  throw new ProblemResponseError(
    'refused-credentials',
    'The client_id or client_secret is wrong.',
    { status: Number(context.variants.refusedCredentials) },
  );
}
