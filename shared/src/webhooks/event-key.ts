import { createHash } from 'node:crypto';
import { isRecord } from '../json.ts';
import { checkBody, type WebhookBody } from './body.ts';
import type { WebhookEvent } from './parse-event.ts';

/**
 * A short text that is the same for every delivery of one event and differs between events: from
 * the event's identifier, or from the whole body where no identifier can be told for sure.
 */
export function eventKey(event: WebhookEvent, body: WebhookBody): string {
  checkBody(body);
  const id = certainId(event);
  return id === undefined ? `body:${hash(body)}` : `id:${hash(JSON.stringify([event.type, id]))}`;
}

/**
 * A flat body may hold the record's fields beside the event's name. Its `id` is then that of the
 * record, which several events are about: taken as the event's, it would drop all but the first.
 */
function certainId({ id, payload }: WebhookEvent): string | undefined {
  const isOfTheEvent = isRecord(payload.data) || payload.event_id !== undefined;
  return isOfTheEvent ? id : undefined;
}

function hash(content: WebhookBody): string {
  return createHash('sha256').update(content).digest('base64url');
}
