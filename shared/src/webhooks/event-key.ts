import { createHash } from '#crypto';
import type { WebhookEvent } from './parse-event.ts';
import { type RawBody, rawBody, type WebhookBody } from './webhook-body.ts';

/**
 * A short text that is the same for every delivery of one event and differs between events. Made
 * from the event's ID, or from the whole body if there is no ID.
 */
export function eventKey(event: WebhookEvent, body: WebhookBody): string {
  const { prefix, content } = keyParts(event, rawBody(body));
  return prefix + createHash('sha256').update(content).digest('base64url');
}

/** A key is the prefix and the SHA-256 of the content. */
export function keyParts({ id, type }: WebhookEvent, body: RawBody) {
  return id === undefined
    ? { prefix: 'body:', content: body }
    : { prefix: 'id:', content: JSON.stringify([type, id]) };
}
