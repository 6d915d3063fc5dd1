import { createHash } from '#crypto';
import { eventNames } from '../catalogue/events.ts';
import { isRecord, parseJsonExactly } from '../json.ts';
import type { EventEnvelope, KnownEvent } from '../types/events.ts';
import {
  checkRawBody,
  type RawBody,
  trimmedBody,
  type WebhookBody,
  WebhookVerificationError,
} from './delivery.ts';
import type { RelayProblemEventName } from './relay-events.ts';

/**
 * The name of an event that this version of the package does not know. It equals no text that the
 * compiler can see, so that a misspelled name is an error: compare `String(event.type)` instead.
 */
export declare enum UnknownEventName {
  /** Stands for any other text. */
  Other = 'a name that this version does not know',
}

/** An event that this version of the package does not know. */
export interface UnknownEvent extends EventEnvelope {
  /** Its name: compare `String(event.type)`. */
  readonly type: UnknownEventName;
  /** The object under `data` or `payload`, or else the whole body. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A problem of the relay that delivers the events. */
export interface RelayProblemEvent extends EventEnvelope {
  /** Which kind of problem it is. */
  readonly type: RelayProblemEventName;
  /** What happened, for people and programs. */
  readonly data: RelayProblemData;
}

/** The `data` of a problem of the relay. */
export interface RelayProblemData {
  /** The problem in sentences. */
  readonly message?: string | null | undefined;
  /** The problem in a word, such as `subscription_failing`. */
  readonly problem?: string | null | undefined;
  /** ID of the subscription. */
  readonly subscription_id?: string | null | undefined;
  /** Name of the subscription. */
  readonly subscription_name?: string | null | undefined;
  /** Where it delivers to. */
  readonly target_host?: string | null | undefined;
  /** Why the last attempt failed. */
  readonly reason?: string | null | undefined;
  /** Since when nothing arrives (UTC). */
  readonly since?: string | null | undefined;
}

/** A delivery. Compare its `type`, and `data` has the fields of that event. */
export type WebhookEvent = KnownEvent | RelayProblemEvent | UnknownEvent;

/**
 * Reads the body of a delivery. It trusts the body: check the signature first. Throws
 * WebhookVerificationError (`malformed_body`).
 */
export function parseEvent(body: WebhookBody): WebhookEvent {
  const payload = readObject(checkRawBody(body));
  const type = readType(payload);
  const data = readData(payload.data) ?? readData(payload.payload);
  return {
    id: readId(payload.event_id) ?? (data && readId(payload.id)) ?? readId(payload.delivery_id),
    type,
    data: data ?? payload,
    payload,
  } as WebhookEvent;
}

function readObject(body: RawBody): Record<string, unknown> {
  const text = typeof body === 'string' ? body : decode(body);
  if (text === '') throw malformed('it is empty');
  let value: unknown;
  try {
    value = parseJsonExactly(text);
  } catch {
    throw malformed('it is not JSON');
  }
  if (!isRecord(value)) throw malformed('it is not a JSON object');
  return value;
}

/** Made when it is first needed: a runtime that only sends requests may have none. */
let decoder: TextDecoder | undefined;

function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
}

const nameMembers = ['type', 'event', 'event_type', 'event_name', 'topic'];

function readType(payload: Record<string, unknown>): string {
  const names = new Set<string>();
  // Without the lists of map and filter, which cost a fiftieth of a small check.
  for (const member of nameMembers) {
    const name = payload[member];
    if (isName(name)) names.add(name);
  }
  const [name, ...others] = names.size > 1 ? mostReliable(names) : names;
  if (name !== undefined && others.length === 0) return name;
  const members = nameMembers.map((member) => `"${member}"`).join(', ');
  throw malformed(`it names no event, or several, under ${members}`);
}

/** In a flat body, some members may be fields of the event. */
function mostReliable(names: ReadonlySet<string>): string[] {
  const all = [...names];
  const known = all.filter((name) => eventNames.some((event) => event === name));
  const dotted = all.filter((name) => /^\w+(\.\w+)+$/.test(name));
  return [known, dotted].find(({ length }) => length > 0) ?? all;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readData(data: unknown): Record<string, unknown> | undefined {
  return isRecord(data) ? data : undefined;
}

function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return isName(id) ? id : undefined;
}

function malformed(why: string) {
  return new WebhookVerificationError(
    'malformed_body',
    `The body of the delivery cannot be read: ${why}.`,
  );
}

/**
 * A short text that is the same for every delivery of one event and differs between events. Made
 * from the event's ID, or from the whole body if there is no ID.
 */
export function eventKey(event: WebhookEvent, body: WebhookBody): string {
  const { prefix, content } = eventKeyParts(event, checkRawBody(body));
  return prefix + createHash('sha256').update(content).digest('base64url');
}

/** A key is the prefix and the SHA-256 of the content. */
export function eventKeyParts({ id, type }: WebhookEvent, body: RawBody) {
  return id === undefined
    ? { prefix: 'body:', content: trimmedBody(body) }
    : { prefix: 'id:', content: JSON.stringify([type, id]) };
}
