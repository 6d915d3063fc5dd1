import type { MiddlewareHandler } from 'hono';
import type { IngestResult, Observer } from '../observe/observer.ts';

const results: Readonly<Record<number, IngestResult>> = {
  200: 'duplicate',
  202: 'stored',
  400: 'malformed',
  401: 'forged',
  404: 'unknown_source',
  408: 'aborted',
  413: 'too_large',
  503: 'unavailable',
};

/** Reports each response of the ingress to the observer. */
export function observeIngest(observer: Pick<Observer, 'ingested'>): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    observer.ingested({
      result: results[c.res.status] ?? 'failed',
      durationMs: performance.now() - startedAt,
    });
  };
}
