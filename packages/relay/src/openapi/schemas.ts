import * as z from 'zod';

const id = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .describe(`ID of ${what}`);
const moment = (what: string) => z.iso.datetime().describe(what);
const kind = z.string().describe('Name of the event, such as campaign.paid');

const me = z
  .object({
    name: z.string().describe('Name of the token'),
    source: z.string().describe('The source whose events the token can see'),
    rights: z.array(z.string()),
  })
  .describe('The token of this request');

const subscription = z
  .object({
    id: id('sub', 'the subscription'),
    target_url: z.string().describe('Where events are delivered'),
    events: z.array(kind),
    name: z.string().nullable(),
    state: z.enum(['active', 'off']),
    off_reason: z
      .enum(['gone', 'failing', 'token_revoked', 'key_rotated', 'by_hand'])
      .nullable()
      .describe(
        'Why it is off: the target responded with 410; it failed for five days; its token was revoked; its key was rotated and not used within a day; or an operator switched it off',
      ),
    created_at: moment('When it was created'),
    replaced: z
      .enum(['ended', 'separate', 'unreachable'])
      .optional()
      .describe(
        'Only after a PUT with replaces and another target. What became of the replaced subscription: ended, because its target is gone or names the new one; kept, because another receiver responds there; kept, because nothing responds there now',
      ),
  })
  .describe('A target with the events it receives');

const event = z
  .object({
    id: id('evt', 'the event at the relay, sent as webhook-id in its deliveries'),
    type: kind,
    received_at: moment('When the relay stored it'),
    position: z.string().describe('Send it as after to list later events'),
    data: z.unknown().describe('What happened, without the envelope'),
    payload: z.unknown().describe('The whole body as the service sent it'),
  })
  .describe('An event that the service delivered');

const attempt = z
  .object({
    at: moment('When it started'),
    status: z.int().nullable().describe('The status of the response, if there was one'),
    error: z.string().nullable().describe('Why it failed'),
    duration_ms: z.int(),
  })
  .describe('One request to the target');

const delivery = z
  .object({
    id: z
      .string()
      .regex(/^dlv_[0-9a-f]{32}_\d+$/)
      .describe('ID of the delivery'),
    event_id: id('evt', 'the event'),
    event_type: kind,
    subscription_id: id('sub', 'the subscription'),
    state: z.enum(['pending', 'delivered', 'dead']),
    reason: z.string().nullable().describe('Why it is dead'),
    next_attempt_at: moment('When the next attempt is due').nullable(),
    attempts: z.array(attempt),
  })
  .describe('The delivery of an event to a subscription');

const response = z
  .object({
    status: z.int(),
    headers: z
      .record(z.string(), z.string())
      .describe('A few that help to find a fault, such as content-type and server'),
    body: z
      .string()
      .describe('Its first 1,024 characters on one line, without secrets; empty if it is binary'),
    is_binary: z.boolean(),
    is_cut: z.boolean().describe('Whether the body is longer'),
  })
  .nullable()
  .describe('What the target responded, if it did');

const deliveryWithResponses = delivery
  .extend({ attempts: z.array(attempt.extend({ response })) })
  .describe('The delivery of an event to a subscription, with the responses');

const testResult = z
  .object({
    delivered: z.boolean().describe('Whether the target responded with 2xx in time'),
    event_id: id('evt', 'the event that was sent'),
    event_type: kind,
    is_sample: z
      .boolean()
      .describe('Whether a sample was sent, because no event of these types is stored'),
    status: z.int().nullable().describe('The status of the response, if there was one'),
    error: z.string().nullable().describe('Why it failed'),
    duration_ms: z.int(),
  })
  .describe('The result of a test');

const replayed = z
  .object({
    replayed: z.int().describe('How many deliveries are pending again now'),
    has_more: z
      .boolean()
      .describe('Whether the relay replays more of them in the background, after the first 2,000'),
  })
  .describe('The result of a replay');

const missing = z
  .object({
    deliveries: z.int().describe('How many deliveries were added'),
    has_more: z
      .boolean()
      .describe('Whether the relay continues in the background, after the first 2,000 events'),
  })
  .describe('The result of a replay of missing deliveries');

const retried = z
  .object({
    retried: z.int().describe('How many pending deliveries are due now'),
    has_more: z
      .boolean()
      .describe('Whether the relay retries more of them in the background, after the first 2,000'),
  })
  .describe('The result of a retry');

const stored = z
  .object({ stored: z.boolean().describe('False for a duplicate') })
  .describe('How the relay handled a delivery from the service');

const problem = z
  .object({
    type: z.string().describe('Type of problem'),
    title: z.string().describe('Short label'),
    status: z.int().describe('The HTTP status code'),
    detail: z.string().describe('What is wrong, and what to do'),
    position: z.string().optional().describe('With 410: where to continue'),
  })
  .describe('RFC 7807 problem document');

const health = z.object({ status: z.string() }).describe('Health of the relay');

const pageOf = (item: z.ZodType, pagination: z.ZodRawShape = {}) =>
  z
    .object({
      data: z.array(item),
      pagination: z.object({
        cursor: z.string().nullable().describe('Send it as cursor to get the next page'),
        has_more: z.boolean(),
        ...pagination,
      }),
    })
    .describe('A page, newest first');

/** Every response body, by its name in the document. */
export const responses = {
  Me: me,
  Subscription: subscription,
  SubscriptionPage: pageOf(subscription),
  Event: event,
  EventPage: pageOf(event, {
    position: z
      .string()
      .optional()
      .describe('After a list with after: send it as after the next time'),
  }),
  Delivery: deliveryWithResponses,
  DeliveryPage: pageOf(delivery),
  TestResult: testResult,
  Replayed: replayed,
  Missing: missing,
  Retried: retried,
  Stored: stored,
  Problem: problem,
  Health: health,
} as const;

export type ResponseName = keyof typeof responses;
