import * as z from 'zod';

const object = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z.object(shape).describe(description);
const text = (what: string) => z.string().describe(what);
const textOrNull = (what: string) => z.string().nullable().describe(what);
const flag = (what: string) => z.boolean().describe(what);
const count = (what: string) => z.int().describe(what);
const moment = (what: string) => z.iso.datetime().describe(what);
const id = (prefix: string, what: string) => matching(`^${prefix}_[0-9a-f]{32}$`, `ID of ${what}`);
const matching = (pattern: string, what: string) => text(what).regex(new RegExp(pattern));

const subscriptionIdOf = matching(
  '^sub_[0-9a-f]{32}_\\d+$',
  'ID of the subscription. It ends with the number of its PUT requests; the part before stays',
);
const kind = text('Name of the event, such as campaign.paid');
const status = z.int().nullable().describe('The status of the response, if there was one');
const error = textOrNull('Why it failed');

const subscription = object('A target with the events it receives', {
  id: subscriptionIdOf,
  target_url: text('Where events are delivered'),
  events: z.array(kind),
  name: z.string().nullable(),
  state: z.enum(['active', 'off']),
  off_reason: z
    .enum(['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated', 'unsubscribed'])
    .nullable()
    .describe(
      'Why it is off: the target responded with 410; every attempt failed for five days; an operator switched it off; its token was revoked; its key was rotated, and the new one not used; or it was deleted',
    ),
  max_concurrency: count('The most deliveries at once'),
  created_at: moment('When it was created'),
  previous_events: z
    .array(kind)
    .optional()
    .describe(
      'After a PUT with other events than before, those until now: another program may use the same target',
    ),
  skipped: object('What it skipped, since it was deleted for more than ten minutes', {
    from: moment('When the first event arrived'),
    count: count('How many of the first 2,000 events it wants'),
  })
    .optional()
    .describe('After a PUT, until one with catch_up delivers them'),
});

const event = object('An event that the service delivered', {
  id: id('evt', 'the event at the relay, sent as x-relay-event in its deliveries'),
  type: kind,
  received_at: moment('When the relay stored it'),
  position: text('Send it as after to list later events'),
  data: z.unknown().describe('What happened, without the envelope'),
  payload: z.unknown().describe('The whole body as the service sent it'),
  is_erased: flag('Whether it was erased, so that data and payload are null. Lists leave it out'),
});

const attempt = object('One request to the target', {
  at: moment('When it started'),
  status,
  error,
  duration_ms: z.int(),
});

const delivery = object('The delivery of an event to a subscription', {
  id: matching('^dlv_[0-9a-f]{32}_\\d+$', 'ID of the delivery'),
  event_id: id('evt', 'the event'),
  event_type: kind,
  subscription_id: subscriptionIdOf,
  state: z.enum(['pending', 'delivered', 'ignored', 'dead']),
  reason: textOrNull('Why it is dead, or was ignored: duplicate, not_wanted, or sample'),
  replays: count('How many replays were requested. The webhook-id of the second ends with _r2'),
  next_attempt_at: moment('When the next attempt is due').nullable(),
  attempts: z.array(attempt),
});

const response = z
  .object({
    status: z.int(),
    headers: z
      .record(z.string(), z.string())
      .describe('A few that help to find a fault, such as content-type and server'),
    body: text('Its first 1,024 characters on one line, without secrets; empty if it is binary'),
    is_binary: z.boolean(),
    is_cut: flag('Whether the body is longer'),
  })
  .nullable()
  .describe('What the target responded, if it did');

const pageOf = <Item extends z.ZodType>(item: Item, pagination: z.ZodRawShape = {}) =>
  object('A page, newest first', {
    data: z.array(item),
    pagination: z.object({
      cursor: textOrNull('Send it as cursor to get the next page'),
      has_more: z.boolean(),
      ...pagination,
    }),
  });

/** Every response body, by its name in the document. */
export const responses = {
  Me: object('The token of this request', {
    name: text('Name of the token'),
    source: text('The source whose events the token can see'),
    rights: z.array(z.enum(['subscribe', 'read', 'manage'])),
  }),
  Subscription: subscription,
  SubscriptionPage: pageOf(subscription),
  Event: event,
  EventPage: pageOf(event, {
    position: z
      .string()
      .optional()
      .describe('After a list with after: send it as after the next time'),
  }),
  Delivery: delivery
    .extend({ attempts: z.array(attempt.extend({ response })) })
    .describe('The delivery of an event to a subscription, with the responses'),
  DeliveryPage: pageOf(delivery),
  TestResult: object('The result of a test', {
    delivered: flag('Whether the target responded with 2xx in time'),
    ignored: textOrNull('Why it did nothing, if it said so: duplicate, not_wanted, or sample'),
    event_id: id('evt', 'the event that was sent'),
    event_type: kind,
    is_sample: flag('Whether a sample was sent, because no event of these types is stored'),
    status,
    error,
    duration_ms: z.int(),
  }),
  Started: object('What the relay delivers now, or once the subscription is on', {
    deliveries: count('How many of the first 2,000 that it looks at'),
    has_more: flag('Whether it looks at more than these'),
  }),
  Erased: object('The result of an erasure', { erased: count('How many events were erased') }),
  Stored: object('How the relay handled a delivery from the service', {
    stored: flag('False for a duplicate'),
  }),
  Problem: object('RFC 7807 problem document', {
    type: text('Type of problem'),
    title: text('Short label'),
    status: count('The HTTP status code'),
    detail: text('What is wrong, and what to do'),
    position: z.string().optional().describe('With 410: where to continue'),
    retry_after: z.number().optional().describe('With 429 and 503: seconds to wait'),
  }),
  Health: object('Health of the relay', { status: z.string() }),
} as const;

export type ResponseName = keyof typeof responses;

/** As the API shows them. */
export type SubscriptionRecord = z.output<typeof responses.Subscription>;
export type EventRecord = z.output<typeof responses.Event>;
export type DeliveryRecord = z.output<typeof delivery>;
export type DeliveryWithResponses = z.output<typeof responses.Delivery>;
export type TestResult = z.output<typeof responses.TestResult>;
export type Started = z.output<typeof responses.Started>;
