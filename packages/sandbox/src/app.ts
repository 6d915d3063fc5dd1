import { Hono } from 'hono';
import { adminApp } from './admin/admin-app.ts';
import type { SandboxContext } from './context.ts';
import { basePath, type ExchangeEnv } from './http/exchange.ts';
import { inspectorApp } from './inspector/inspector-app.ts';
import { landingPage, landingPageHeaders } from './pages/landing-page.ts';
import { thumbnail, thumbnailHeaders } from './pages/thumbnail.ts';
import { ProblemResponseError } from './problems/problem-response-error.ts';
import { landingPath } from './routes/landing-links.ts';
import { thumbnailPath } from './routes/screens.ts';
import { serviceApp } from './routes/service.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * All routes: the service, the links in its records, the admin API, and the inspector. `save` is
 * called after a change, and throws if it cannot be kept.
 */
export function sandboxApp(
  context: SandboxContext,
  sandbox: Sandbox,
  isOpen: boolean,
  save: () => void,
): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.use(async (c, next) => {
    await next();
    if (!['GET', 'HEAD'].includes(c.req.method) && c.res.status < 400) save();
  });
  app.route(basePath, serviceApp(context));
  app.route('/_sandbox', adminApp(sandbox, isOpen));
  app.route('/', inspectorApp(sandbox, isOpen));
  app.get(landingPath, (c) => c.html(landingPage(c.env.exchange.url), 200, landingPageHeaders));
  app.get(`${thumbnailPath}/:file{.+\\.svg}`, async (c) => {
    const screen = context.store.screens.get(c.req.param('file').slice(0, -'.svg'.length));
    return screen ? c.body(String(await thumbnail(screen)), 200, thumbnailHeaders) : c.notFound();
  });
  app.notFound((c) =>
    new ProblemResponseError(
      'not-found',
      `${c.env.exchange.url.pathname} does not exist. The base URL ends in ${basePath}.`,
    ).toResponse(),
  );
  app.onError((error) => toProblem(error));
  return app;
}

export function toProblem(error: unknown): Response {
  if (error instanceof ProblemResponseError) return error.toResponse();
  const detail = `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`;
  return new ProblemResponseError('internal-error', detail).toResponse();
}
