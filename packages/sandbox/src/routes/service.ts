import type { Operation } from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { Hono } from 'hono';
import { authenticate, checkScope } from '../auth/authenticate.ts';
import type { SandboxContext } from '../context.ts';
import type { Exchange, ExchangeEnv } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import { checkInput, type InputReader, inputReader } from './read-input.ts';
import type { Route, RouteResponse } from './route.ts';
import { routes } from './routes.ts';
import { handleTokenRequest } from './token.ts';

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
  for (const route of Object.values(routes)) {
    add(route.operation.method, route.operation.path, handlerFor(context, route));
  }
  for (const [pattern, allowed] of methods) {
    app.all(pattern, (c) => {
      throw wrongMethod(c.req.method, allowed);
    });
  }
  return app;
}

type Handler = (exchange: Exchange, pathParameters: Record<string, string>) => RouteResponse;

function handlerFor(context: SandboxContext, route: Route): Handler {
  const readInput = readers.get(route.operation) ?? inputReader(route.operation);
  readers.set(route.operation, readInput);
  return (exchange, pathParameters) => {
    exchange.operation = route.operation.name;
    const access = authenticate(context, exchange.headers);
    exchange.accessId = access.id;
    context.limits.countCall(access.id, context.clock.elapsed());
    checkScope(access, route.operation);
    const raw = readInput(exchange, pathParameters);
    route.statedRules?.(raw);
    const input = checkInput(context, route.operation, raw);
    return route.handle({ context, access, input, origin: exchange.url.origin });
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
