import { type Operation, type OperationName, operations } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { Hono } from 'hono';
import { authenticate, checkScope } from '../auth/authenticate.ts';
import type { SandboxContext } from '../context.ts';
import type { Exchange, ExchangeEnv } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { campaignRequestRoutes } from './campaign-requests.ts';
import { couponRoutes, percentAtMost100 } from './coupons.ts';
import { landingLinkRoutes } from './landing-links.ts';
import { checkInput, type InputReader, inputReader } from './read-input.ts';
import type { Call, RouteResponse, Routes } from './route.ts';
import { screenRoutes } from './screens.ts';
import { handleTokenRequest } from './token.ts';
import { userRoutes } from './users.ts';

/** One route per operation of the catalogue. The compiler asks for a missing one. */
const routes: Routes = {
  ...screenRoutes,
  ...couponRoutes,
  ...userRoutes,
  ...landingLinkRoutes,
  ...campaignRequestRoutes,
};

/** Computed once for all sandboxes of a process. */
const readers = new Map<Operation, InputReader>();

/** The partner interface, below its base URL. */
export function serviceApp(context: SandboxContext): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  const methods = new Map<string, string[]>();
  const add = (method: string, path: string, handle: Handler): void => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(pattern, [...(methods.get(pattern) ?? []), method]);
    app.on(method, pattern, (c) => toResponse(handle(c.env.exchange, c.req.param())));
  };

  add(tokenEndpoint.method, tokenEndpoint.path, (exchange) => {
    exchange.operation = 'token';
    return handleTokenRequest(context, exchange);
  });
  for (const name of Object.keys(routes) as OperationName[]) {
    add(operations[name].method, operations[name].path, handlerFor(context, name));
  }
  for (const [pattern, allowed] of methods) {
    app.all(pattern, (c) => {
      throw wrongMethod(c.req.method, allowed);
    });
  }
  return app;
}

type Handler = (exchange: Exchange, pathParameters: Record<string, string>) => RouteResponse;

function handlerFor(context: SandboxContext, name: OperationName): Handler {
  const operation: Operation = operations[name];
  const handle = routes[name] as (call: Call<unknown>) => RouteResponse;
  const readInput = readers.get(operation) ?? inputReader(operation);
  readers.set(operation, readInput);
  return (exchange, pathParameters) => {
    exchange.operation = name;
    const access = authenticate(context, exchange.headers);
    exchange.accessId = access.id;
    context.limits.countCall(access.id, context.clock.now());
    checkScope(access, operation);
    const raw = readInput(exchange, pathParameters);
    if (name === 'coupon.create') percentAtMost100(raw);
    const input = checkInput(context, operation, raw);
    return handle({ context, access, input, origin: exchange.url.origin });
  };
}

function toResponse({ status, body }: RouteResponse): Response {
  if (body === undefined) return new Response(null, { status });
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

function wrongMethod(method: string, allowed: readonly string[]): ProblemResponseError {
  const allow = allowed.join(', ');
  return new ProblemResponseError(
    'method-not-allowed',
    `${method} is not allowed here, only ${allow}.`,
    {
      headers: { allow },
    },
  );
}
