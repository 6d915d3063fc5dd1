import { createHash } from 'node:crypto';
import { checkBody, type WebhookBody } from './arguments.ts';
import type { WebhookEvent } from './parse-event.ts';

/**
 * A short text that is the same for every delivery of one event and differs between events. Made
 * from the event's ID, or from the whole body if there is no ID.
 */
export function eventKey({ id, type }: WebhookEvent, body: WebhookBody): string {
  checkBody(body);
  return id === undefined ? `body:${hash(body)}` : `id:${hash(JSON.stringify([type, id]))}`;
}

function hash(content: WebhookBody): string {
  return createHash('sha256').update(content).digest('base64url');
}
