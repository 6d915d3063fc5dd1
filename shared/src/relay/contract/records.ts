import * as z from 'zod/mini';
import {
  booleanSchema,
  countSchema,
  deliveryStates,
  describedSchema,
  idSchema,
  objectSchema,
  patternSchema,
  type SchemasByField,
  textOrNullSchema,
  textSchema,
  timestampSchema,
} from './contract-fields.ts';
import { eventFields } from './event-fields.ts';
import type { RelayAccess, RelaySubscription, RelayTestResult } from './record-types.ts';

const subscriptionId = patternSchema(
  '^sub_[0-9a-f]{32}_\\d+$',
  'ID of the subscription. It ends with the number of its PUT requests; the part before stays',
);
const kind = textSchema('Name of the event, such as campaign.paid');
const status = describedSchema('The status of the response, if there was one', z.nullable(z.int()));
const error = textOrNullSchema('Why it failed');

const access = objectSchema('The token of this request', {
  name: textSchema('Name of the token'),
  source: textSchema('The source whose events the token can see'),
  rights: z.array(z.enum(['subscribe', 'read', 'manage'])),
}) satisfies z.ZodMiniType<RelayAccess>;

const subscription = objectSchema('A target with the events it receives', {
  id: subscriptionId,
  target_url: textSchema('Where events are delivered'),
  events: z.array(kind),
  name: z.nullable(z.string()),
  state: z.enum(['active', 'off']),
  off_reason: describedSchema(
    'Why it is off: the target responded with 410; every attempt failed for five days; an operator switched it off; its token was revoked; its key was rotated, and the new one not used; or it was deleted',
    z.nullable(z.enum(['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated'])),
  ),
  max_concurrency: countSchema('The most deliveries at once'),
  created_at: timestampSchema('When it was created'),
  waiting: describedSchema(
    'How many events it has still to get that were not attempted, counted up to 10,000. These six are not in the response to a PUT',
    z.optional(z.int()),
  ),
  pending: describedSchema(
    'How many of its deliveries are to be retried, counted up to 10,000',
    z.optional(z.int()),
  ),
  has_request: describedSchema(
    'Whether it still delivers what was asked for by hand, or what another one has left',
    z.optional(z.boolean()),
  ),
  failing_since: describedSchema(
    'Since when it has accepted nothing; null if its last attempt succeeded',
    z.optional(z.nullable(z.iso.datetime())),
  ),
  last_error: describedSchema('Why its last attempt failed', z.optional(z.nullable(z.string()))),
  next_attempt_at: describedSchema(
    'When it gets the next attempt: the later of the schedule and a pause; null if nothing waits, or it is off',
    z.optional(z.nullable(z.iso.datetime())),
  ),
  previous_events: describedSchema(
    'After a PUT with other events than before, those until now: another program may use the same target',
    z.optional(z.array(kind)),
  ),
  skipped: describedSchema(
    'After a PUT, until one with catch_up delivers them',
    z.optional(
      objectSchema('What it skipped, since it was deleted for more than ten minutes', {
        from: timestampSchema('When the first event arrived'),
        count: countSchema('How many of the first 2,000 events it wants'),
      }),
    ),
  ),
}) satisfies z.ZodMiniType<RelaySubscription>;

const event = objectSchema('An event that the service delivered', {
  ...eventFields,
  position: textSchema('Send it as after to list later events'),
  payload: describedSchema('The whole body as the service sent it', z.unknown()),
  is_erased: booleanSchema(
    'Whether it was erased, so that data and payload are null. Lists leave it out',
  ),
  waiting: describedSchema(
    'How many subscriptions that are on want it, and have not attempted it. Not in lists with after',
    z.optional(z.int()),
  ),
});

const attempt = objectSchema('One request to the target', {
  at: timestampSchema('When it started'),
  status,
  error,
  duration_ms: z.int(),
});

const response = describedSchema(
  'What the target responded, if it did',
  z.nullable(
    z.object({
      status: z.int(),
      headers: describedSchema(
        'A few that help to find a fault, such as content-type and server',
        z.record(z.string(), z.string()),
      ),
      body: textSchema(
        'Its first 1,024 characters on one line, without secrets; empty if it is binary',
      ),
      is_binary: z.boolean(),
      is_cut: booleanSchema('Whether the body is longer'),
    }),
  ),
);

const deliveryFields = {
  id: patternSchema('^dlv_[0-9a-f]{32}_\\d+$', 'ID of the delivery'),
  event_id: idSchema('evt', 'the event'),
  event_type: kind,
  subscription_id: subscriptionId,
  state: z.enum(deliveryStates),
  reason: textOrNullSchema('Why it is dead, or was ignored: duplicate, not_wanted, or sample'),
  replays: countSchema(
    'How many redeliveries were requested. The webhook-id of the second ends with _r2',
  ),
  next_attempt_at: describedSchema(
    'When the next attempt is made: the later of the schedule and a pause; null while the subscription is off',
    z.nullable(z.iso.datetime()),
  ),
};

/** The delivery of an event to a subscription, in a list. */
const delivery = objectSchema('The delivery of an event to a subscription', {
  ...deliveryFields,
  attempts: z.array(attempt),
});

/** One, with what its target responded. */
const deliveryWithResponses = objectSchema(
  'The delivery of an event to a subscription, with the responses',
  { ...deliveryFields, attempts: z.array(z.extend(attempt, { response })) },
);

const testResult = objectSchema('The result of a test', {
  delivered: booleanSchema('Whether the target responded with 2xx in time'),
  ignored: textOrNullSchema('Why it did nothing, if it said so: duplicate, not_wanted, or sample'),
  event_id: idSchema('evt', 'the event that was sent'),
  event_type: kind,
  is_sample: booleanSchema('Whether a sample was sent, because no event of these types is stored'),
  status,
  error,
  duration_ms: z.int(),
}) satisfies z.ZodMiniType<RelayTestResult>;

const started = objectSchema('What the relay delivers now, or once the subscription is on', {
  deliveries: countSchema('How many of the first 2,000 that it looks at'),
  has_more: booleanSchema('Whether it looks at more than these'),
});

const erased = objectSchema('The result of an erasure', {
  erased: countSchema('How many events were erased'),
});

/** A page of these records. */
function pageOf<Item extends z.ZodMiniType>(item: Item, pagination: SchemasByField = {}) {
  return objectSchema('A page, newest first', {
    data: z.array(item),
    pagination: z.object({
      cursor: textOrNullSchema('Send it as cursor to get the next page'),
      has_more: z.boolean(),
      ...pagination,
    }),
  });
}

/** Every response body of the API, by its name in documents. */
export const relayRecordSchemas = {
  Me: access,
  Subscription: subscription,
  SubscriptionPage: pageOf(subscription),
  Event: event,
  EventPage: pageOf(event, {
    position: describedSchema(
      'After a list with after: send it as after the next time',
      z.optional(z.string()),
    ),
  }),
  Delivery: deliveryWithResponses,
  DeliveryPage: pageOf(delivery),
  TestResult: testResult,
  Started: started,
  Erased: erased,
} as const;
