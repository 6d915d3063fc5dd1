import { parseEvent, type WebhookEvent, WebhookVerificationError } from '@screen-advertising/core';
import {
  eventKey,
  isRelayProblemEventName,
  signatureHeaderName,
} from '@screen-advertising/core/webhooks';
import { Hono, type MiddlewareHandler } from 'hono';
import { ProblemResponseError, readBytes } from '../base/http.ts';
import type { IngestResult, Observer, RelayContext } from './context.ts';
import { searchHashes } from './search.ts';
import { EventStore } from './store.ts';
import { IngressSources, RefusedDeliveries, VerifiedDeliveries } from './verification.ts';

const maxBody = 1024 * 1024;
const maxType = 200;
/** JSON.stringify, which every reader of the event needs, fails at a few thousand levels. */
const deepestNesting = 100;

/** The observer learns these beside the response. */
export interface IngressEnv {
  Variables: { source?: string; type?: string };
}

/**
 * `POST /in/{source}`: where the service delivers. A 2xx response is sent only after the commit.
 */
export function ingressApp(context: RelayContext): Hono<IngressEnv> {
  const app = new Hono<IngressEnv>();
  const sources = new IngressSources(context);
  const verified = new VerifiedDeliveries(context);
  const refused = new RefusedDeliveries(context, sources);
  const store = new EventStore(context);
  app.on('POST', ['/in/:source', '/in/:source/'], async (c) => {
    const source = await sources.find(c.req.param('source'));
    if (!source) throw new ProblemResponseError('not-found', 'There is no source with this name.');
    c.set('source', source.name);
    const request = c.req.raw;
    const signature = c.req.header(signatureHeaderName);
    let body: Uint8Array | undefined;
    try {
      // Without a signature, a delivery is refused whatever it contains, so nothing of it is read.
      if (signature !== undefined) body = await readBytes(request, maxBody);
      const received = body ?? new Uint8Array();
      await verified.verify(source, { body: received, signature });
      const event = readEvent(received);
      c.set('type', event.type);
      const isNew = await store.write({
        source: source.number,
        key: eventKey(event, received),
        type: event.type,
        body: received,
        searchHashes: searchHashes(source.number, event),
        signedAt: signedAt(signature),
      });
      return c.json({ stored: isNew }, isNew ? 202 : 200);
    } catch (error) {
      await refused.note(source, { request, body, error });
      throw error instanceof WebhookVerificationError ? asProblem(error) : error;
    }
  });
  return app;
}

function readEvent(body: Uint8Array): WebhookEvent {
  const event = parseEvent(body);
  if (isDeeper(event.payload, deepestNesting)) {
    throw malformed(
      `The body of the delivery has more than ${deepestNesting} nested arrays and objects.`,
    );
  }
  if (isRelayProblemEventName(event.type)) {
    throw malformed('The event has a name that only the relay gives to events.');
  }
  // PostgreSQL cannot store U+0000 in text.
  if (event.type.length <= maxType && !event.type.includes('\0')) return event;
  throw malformed(
    `The name of the event is longer than ${maxType} characters, or contains U+0000.`,
  );
}

/** Whether more levels of arrays and objects than these are nested in each other. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Correctly signed, but not what the relay can store. */
function malformed(detail: string): ProblemResponseError {
  return new ProblemResponseError('malformed-body', detail);
}

/** The core's messages say what is wrong and never quote a secret. */
function asProblem({ reason, message }: WebhookVerificationError): ProblemResponseError {
  return reason === 'malformed_body'
    ? new ProblemResponseError('malformed-body', message)
    : new ProblemResponseError('invalid-signature', message);
}

/** The header is verified, so it contains exactly one `t`. */
function signedAt(header = ''): number {
  return Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]) * 1000;
}

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
export function observeIngest(observer: Pick<Observer, 'ingested'>): MiddlewareHandler<IngressEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    observer.ingested({
      result: results[c.res.status] ?? 'failed',
      durationMs: performance.now() - startedAt,
      source: c.get('source'),
      type: c.get('type'),
    });
  };
}
