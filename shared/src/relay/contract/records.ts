import * as z from 'zod/mini';
import {
  count,
  deliveryStates,
  described,
  flag,
  idFor,
  matching,
  moment,
  object,
  type Shape,
  text,
  textOrNull,
} from './contract-fields.ts';
import { eventFields } from './event-fields.ts';
import type { RelayAccess, RelaySubscription, RelayTestResult } from './record-types.ts';

const subscriptionId = matching(
  '^sub_[0-9a-f]{32}_\\d+$',
  'ID of the subscription. It ends with the number of its PUT requests; the part before stays',
);
const kind = text('Name of the event, such as campaign.paid');
const status = described('The status of the response, if there was one', z.nullable(z.int()));
const error = textOrNull('Why it failed');

const access = object('The token of this request', {
  name: text('Name of the token'),
  source: text('The source whose events the token can see'),
  rights: z.array(z.enum(['subscribe', 'read', 'manage'])),
}) satisfies z.ZodMiniType<RelayAccess>;

const subscription = object('A target with the events it receives', {
  id: subscriptionId,
  target_url: text('Where events are delivered'),
  events: z.array(kind),
  name: z.nullable(z.string()),
  state: z.enum(['active', 'off']),
  off_reason: described(
    'Why it is off: the target responded with 410; every attempt failed for five days; an operator switched it off; its token was revoked; its key was rotated, and the new one not used; or it was deleted',
    z.nullable(z.enum(['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated'])),
  ),
  max_concurrency: count('The most deliveries at once'),
  created_at: moment('When it was created'),
  waiting: described(
    'How many events it has still to get that were not attempted, counted up to 10,000. These six are not in the response to a PUT',
    z.optional(z.int()),
  ),
  pending: described(
    'How many of its deliveries are to be retried, counted up to 10,000',
    z.optional(z.int()),
  ),
  has_request: described(
    'Whether it still delivers what was asked for by hand, or what another one has left',
    z.optional(z.boolean()),
  ),
  failing_since: described(
    'Since when it has accepted nothing; null if its last attempt succeeded',
    z.optional(z.nullable(z.iso.datetime())),
  ),
  last_error: described('Why its last attempt failed', z.optional(z.nullable(z.string()))),
  next_attempt_at: described(
    'When it gets the next attempt: the later of the schedule and a pause; null if nothing waits, or it is off',
    z.optional(z.nullable(z.iso.datetime())),
  ),
  previous_events: described(
    'After a PUT with other events than before, those until now: another program may use the same target',
    z.optional(z.array(kind)),
  ),
  skipped: described(
    'After a PUT, until one with catch_up delivers them',
    z.optional(
      object('What it skipped, since it was deleted for more than ten minutes', {
        from: moment('When the first event arrived'),
        count: count('How many of the first 2,000 events it wants'),
      }),
    ),
  ),
}) satisfies z.ZodMiniType<RelaySubscription>;

const event = object('An event that the service delivered', {
  ...eventFields,
  position: text('Send it as after to list later events'),
  payload: described('The whole body as the service sent it', z.unknown()),
  is_erased: flag('Whether it was erased, so that data and payload are null. Lists leave it out'),
  waiting: described(
    'How many subscriptions that are on want it, and have not attempted it. Not in lists with after',
    z.optional(z.int()),
  ),
});

const attempt = object('One request to the target', {
  at: moment('When it started'),
  status,
  error,
  duration_ms: z.int(),
});

const response = described(
  'What the target responded, if it did',
  z.nullable(
    z.object({
      status: z.int(),
      headers: described(
        'A few that help to find a fault, such as content-type and server',
        z.record(z.string(), z.string()),
      ),
      body: text('Its first 1,024 characters on one line, without secrets; empty if it is binary'),
      is_binary: z.boolean(),
      is_cut: flag('Whether the body is longer'),
    }),
  ),
);

const deliveryFields = {
  id: matching('^dlv_[0-9a-f]{32}_\\d+$', 'ID of the delivery'),
  event_id: idFor('evt', 'the event'),
  event_type: kind,
  subscription_id: subscriptionId,
  state: z.enum(deliveryStates),
  reason: textOrNull('Why it is dead, or was ignored: duplicate, not_wanted, or sample'),
  replays: count(
    'How many redeliveries were requested. The webhook-id of the second ends with _r2',
  ),
  next_attempt_at: described(
    'When the next attempt is made: the later of the schedule and a pause; null while the subscription is off',
    z.nullable(z.iso.datetime()),
  ),
};

/** The delivery of an event to a subscription, in a list. */
const delivery = object('The delivery of an event to a subscription', {
  ...deliveryFields,
  attempts: z.array(attempt),
});

/** One, with what its target responded. */
const deliveryWithResponses = object(
  'The delivery of an event to a subscription, with the responses',
  { ...deliveryFields, attempts: z.array(z.extend(attempt, { response })) },
);

const testResult = object('The result of a test', {
  delivered: flag('Whether the target responded with 2xx in time'),
  ignored: textOrNull('Why it did nothing, if it said so: duplicate, not_wanted, or sample'),
  event_id: idFor('evt', 'the event that was sent'),
  event_type: kind,
  is_sample: flag('Whether a sample was sent, because no event of these types is stored'),
  status,
  error,
  duration_ms: z.int(),
}) satisfies z.ZodMiniType<RelayTestResult>;

const started = object('What the relay delivers now, or once the subscription is on', {
  deliveries: count('How many of the first 2,000 that it looks at'),
  has_more: flag('Whether it looks at more than these'),
});

const erased = object('The result of an erasure', {
  erased: count('How many events were erased'),
});

/** A page of these records. */
function pageOf<Item extends z.ZodMiniType>(item: Item, pagination: Shape = {}) {
  return object('A page, newest first', {
    data: z.array(item),
    pagination: z.object({
      cursor: textOrNull('Send it as cursor to get the next page'),
      has_more: z.boolean(),
      ...pagination,
    }),
  });
}

/** Every response body of the API, by its name in documents. */
export const records = {
  Me: access,
  Subscription: subscription,
  SubscriptionPage: pageOf(subscription),
  Event: event,
  EventPage: pageOf(event, {
    position: described(
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
