import { isRecord, parseJson } from '../json.ts';
import { checkBody, type WebhookBody } from './body.ts';
import { refusal } from './refusal.ts';

/** A delivery read over every shape that is accepted; see the assumptions about events. */
export interface WebhookEvent {
  /**
   * `id` or `event_id` of the delivery. Undefined without one, and where the event's fields lie
   * flat beside an `id`, since that is the record's own then: several events are about one record.
   */
  readonly id: string | undefined;
  /** Name of the event, such as `coupon.redeemed`; names this version does not know pass. */
  readonly type: string;
  /** The fields of the event: the object under `data`, or else the whole body. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The whole body. Integers beyond 2^53 are strings of their digits. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of a delivery. It trusts the body: check the signature first.
 * Throws WebhookVerificationError (`malformed_body`).
 */
export function parseEvent(body: WebhookBody): WebhookEvent {
  checkBody(body);
  const payload = readObject(body);
  const type = readType(payload);
  if (type === undefined) throw malformed('it names no event under "type" or "event"');
  const data = isRecord(payload.data) ? payload.data : undefined;
  return {
    id: readId(payload.event_id) ?? (data && readId(payload.id)),
    type,
    data: data ?? payload,
    payload,
  };
}

function readObject(body: WebhookBody): Record<string, unknown> {
  const text = typeof body === 'string' ? body : decode(body);
  if (text === '') throw malformed('it is empty');
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw malformed('it is not JSON');
  }
  if (!isRecord(value)) throw malformed('it is not a JSON object');
  return value;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
}

/** In a flat body the other member may be a field of the event; names of events have a dot. */
function readType({ type, event }: Record<string, unknown>): string | undefined {
  const name = readName(type);
  const other = readName(event);
  return other?.includes('.') && !name?.includes('.') ? other : (name ?? other);
}

function readName(name: unknown): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function malformed(why: string) {
  return refusal('malformed_body', `The body of the delivery cannot be read: ${why}.`);
}
