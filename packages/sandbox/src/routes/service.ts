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
import { checkInput, inputReader } from './read-input.ts';
import type { Call, Routes } from './route.ts';
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

type Handler = (exchange: Exchange, pathParameters: Record<string, string>) => Response;

function handlerFor(context: SandboxContext, name: OperationName): Handler {
  const operation: Operation = operations[name];
  const handle = routes[name] as (call: Call<unknown>) => Response;
  const readInput = inputReader(operation);
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
