import { parseEvent, verifySignature, type WebhookEvent } from '@screen-advertising/core';
import { eventKey, signatureHeaderName } from '@screen-advertising/core/webhooks';
import { Hono } from 'hono';
import type { RelayContext } from '../context.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import { readBytes } from '../http/read-bytes.ts';
import { searchHashes } from '../records/event-search.ts';
import { EventStore } from './event-store.ts';
import { nestingOf } from './nesting.ts';
import { SourceSecrets } from './source-secrets.ts';

const longestBody = 1024 * 1024;
const longestType = 200;
/** JSON.stringify, which every reader of the event needs, fails at a few thousand levels. */
const deepestNesting = 100;

/**
 * `POST /in/{source}`: where the service delivers. A 2xx response is sent only after the commit.
 */
export function ingressApp(context: RelayContext): Hono {
  const app = new Hono();
  const sources = new SourceSecrets(context);
  const store = new EventStore(context);
  app.post('/in/:source', async (c) => {
    const body = await readBytes(c.req.raw, longestBody);
    const source = await sources.find(c.req.param('source'));
    if (!source)
      throw new ProblemResponseError(404, 'not-found', 'There is no source with this name.');
    const signature = c.req.header(signatureHeaderName);
    check(401, 'invalid-signature', () =>
      verifySignature({ body, signature, secrets: source.secrets, now: () => context.clock.now() }),
    );
    const event = check(400, 'malformed-body', () => readEvent(body));
    const { isNew, deliveries } = await store.write({
      source: source.number,
      key: eventKey(event, body),
      type: event.type,
      body,
      searchHashes: searchHashes(event),
      signedAt: signedAt(signature),
    });
    if (deliveries > 0) context.wake();
    return c.json({ stored: isNew }, isNew ? 202 : 200);
  });
  return app;
}

function readEvent(body: Uint8Array): WebhookEvent {
  const event = parseEvent(body);
  if (nestingOf(body) > deepestNesting) {
    throw new Error(
      `The body of the delivery has more than ${deepestNesting} nested arrays and objects.`,
    );
  }
  // PostgreSQL cannot store U+0000 in text.
  if (event.type.length <= longestType && !event.type.includes('\0')) return event;
  throw new Error(
    `The name of the event is longer than ${longestType} characters, or contains U+0000.`,
  );
}

/** The core's messages say what is wrong and never quote a secret. */
function check<Result>(
  status: number,
  kind: 'invalid-signature' | 'malformed-body',
  run: () => Result,
): Result {
  try {
    return run();
  } catch (error) {
    throw new ProblemResponseError(status, kind, (error as Error).message);
  }
}

/** The header is verified, so it contains exactly one `t`. */
function signedAt(header = ''): number {
  return Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]) * 1000;
}
