import * as z from 'zod/mini';
import type { Page, Pagination } from '../catalogue/page.ts';

const fields = (title: string, description: string) =>
  z.record(z.string(), z.unknown()).check(z.meta({ title, description }));

export const relayAccess = z.looseObject({
  name: z.string(),
  source: z.string(),
  rights: z.array(z.string()),
});

/** The access of a connector key: its token's name, the source whose events it sees, its rights. */
export type RelayAccess = z.output<typeof relayAccess>;

export const relaySubscription = z.looseObject({
  id: z.string(),
  target_url: z.string(),
  events: z.array(z.string()),
  name: z.nullable(z.string()),
  state: z.enum(['active', 'off']),
  off_reason: z.nullable(z.string()),
  created_at: z.string(),
  replaced: z.optional(z.string()),
});

/**
 * A subscription as the relay stores it. `events` is sorted. `off_reason` says why it is off: `gone`
 * (its target responded with 410), `failing` (for five days), `token_revoked`, `key_rotated` (and
 * the new key not used within a day), or `by_hand`. `replaced` says what became of a replaced one
 * with another target: `ended` (the target is gone, or is the same receiver), `separate` (another
 * receiver responds there, and stays subscribed), or `unreachable` (none responds now, and it stays).
 */
export type RelaySubscription = z.output<typeof relaySubscription>;

export const relayTestResult = z.looseObject({
  delivered: z.boolean(),
  event_id: z.string(),
  event_type: z.string(),
  is_sample: z.boolean(),
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
});

/**
 * The result of a test event, which is neither stored nor retried. `is_sample` is true when no
 * event of the subscription's kinds is stored. `status` is null when no response arrived, and
 * `error` then says why.
 */
export type RelayTestResult = z.output<typeof relayTestResult>;

export const relayEvent = z.looseObject({
  id: z.string().check(z.meta({ title: 'ID', description: 'ID of the event at the relay' })),
  type: z.string().check(z.meta({ title: 'Event', description: 'Name of the event' })),
  received_at: z
    .string()
    .check(z.meta({ title: 'Received At', description: 'When the relay stored it (UTC)' })),
  position: z.optional(z.string()),
  data: fields('Data', 'What happened'),
  payload: fields('Payload', 'The body of a delivery'),
});

/**
 * A stored event. `id` is the `x-relay-event` of its deliveries, `received_at` the UTC timestamp at
 * which the relay stored it, and `position` its place in the order of all events. `payload` is the
 * body of a delivery, and `data` the fields of the event in it. Integers beyond 2^53 are strings of
 * their digits, as `parseEvent` returns them.
 */
export type RelayEvent = z.output<typeof relayEvent>;

/** A page of events. With `after`, `pagination.position` is the next value of `after`. */
export interface RelayEventPage extends Page<RelayEvent> {
  pagination: Pagination & { position?: string };
}
