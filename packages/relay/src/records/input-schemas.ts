import * as z from 'zod';
import { RelayError } from '../relay-error.ts';

const mostInPage = 200;

/** PostgreSQL keeps no U+0000 in a text. */
const text = (most: number, error: string) =>
  z
    .string({ error })
    .min(1, { error })
    .max(most, { error })
    .regex(/^[^\0]*$/, { error });

/** A moment in ISO 8601, as milliseconds since 1970. */
const moment = z.iso
  .datetime({ offset: true, error: 'use a timestamp such as 2027-03-01T09:00:00Z' })
  .transform((value) => Date.parse(value));

const range = {
  from: moment.optional().describe('Only events that arrived at this time or later'),
  to: moment.optional().describe('Only events that arrived before this time'),
};

const id = (prefix: string) => {
  const error = `use the ID of one, such as ${prefix}_0190…`;
  return z.string({ error }).max(100, { error });
};

const type = text(200, 'use the name of an event, such as campaign.paid, of up to 200 characters');
const deliveryStates = ['pending', 'delivered', 'ignored', 'dead'] as const;
const state = z.enum(deliveryStates, {
  error: 'use pending, delivered, ignored or dead',
});

const limitError = `use a whole number from 1 to ${mostInPage}`;
const pages = {
  limit: z.coerce
    .number({ error: limitError })
    .int({ error: limitError })
    .min(1, { error: limitError })
    .max(mostInPage, { error: limitError })
    .default(50)
    .describe('Records per page'),
  cursor: z
    .string()
    .max(200, { error: 'use the cursor of the previous page, unchanged' })
    .optional()
    .describe('Cursor of the previous page; returns the next page'),
};

/** The position after every stored event. */
export const newest = 'newest';

const search = text(500, 'use a whole value, such as an email address, of up to 500 characters');

export const eventQuery = z.strictObject({
  ...pages,
  type: type.optional().describe('Only events of this type'),
  search: search
    .optional()
    .describe(
      'Only events with this ID, or with this value in their data, such as an email address or a coupon code; the whole value, in any case',
    ),
  ...range,
  after: z
    .string()
    .max(200, { error: 'use a position from the relay, unchanged' })
    .optional()
    .describe(
      `Only events after this position, the first one first; "${newest}" returns only the current position`,
    ),
});

const targetUrl = text(2048, 'use a URL that starts with https://, of up to 2048 characters');

export const eraseQuery = z.strictObject({
  search: search.describe('Events with this ID, or with this value in their data, in any case'),
});

export const deliveryQuery = z.strictObject({
  ...pages,
  state: state.optional().describe('Only deliveries in this state'),
  subscription_id: id('sub').optional().describe('Only deliveries to this subscription'),
  event_id: id('evt').optional().describe('Only deliveries of this event'),
});

export const subscriptionQuery = z.strictObject({
  ...pages,
  target_url: targetUrl.optional().describe('Only the one with this target'),
});

const nameError = 'use 1 to 200 characters, or leave it out';

const eventsError = 'name 1 to 50 event types, such as ["campaign.paid"]';

const widthError = { error: 'use a whole number from 1 to 16' };
const max_concurrency = z
  .int(widthError)
  .min(1, widthError)
  .max(16, widthError)
  .optional()
  .describe('The most deliveries at once. Default: 4');

export const subscribeBody = z.strictObject({
  target_url: targetUrl,
  events: z
    .array(type, { error: eventsError })
    .min(1, { error: eventsError })
    .max(50, { error: eventsError })
    .describe('Names of events, or "*" for all of the service, including future ones'),
  name: text(200, nameError).optional(),
  catch_up: z
    .boolean({ error: 'use true or false' })
    .optional()
    .describe(
      'true also delivers what it skipped while it was deleted. false skips what waits for it now. Without it, one that was deleted continues where it stopped for ten minutes',
    ),
  replaces: id('sub')
    .optional()
    .describe(
      'Another subscription of the source that this one replaces. If this one is new, or was off, it also gets what that one has not: what is pending, and the events after its position, of the types that both want. That one stays as it is',
    ),
  max_concurrency,
});

export const changeSubscriptionBody = z.strictObject({
  state: z.enum(['active', 'off'], { error: 'use active or off, or leave it out' }).optional(),
  name: text(200, nameError).optional(),
  max_concurrency,
});

const deliveriesError = 'use 1 to 100 IDs of deliveries, such as ["dlv_0190…"]';
const deliveries = z
  .array(z.string({ error: deliveriesError }).max(100, { error: deliveriesError }), {
    error: deliveriesError,
  })
  .min(1, { error: deliveriesError })
  .max(100, { error: deliveriesError })
  .optional();

const statesError = 'use one or more of pending, delivered, ignored and dead';
const selections = ['deliveries', 'states', 'missing', 'of'] as const;

export const redeliverBody = z
  .strictObject({
    deliveries: deliveries.describe('These'),
    states: z
      .array(z.enum(deliveryStates, { error: statesError }), { error: statesError })
      .min(1, { error: statesError })
      .optional()
      .describe('Those in these states'),
    missing: z
      .literal(true, { error: 'use true, or leave it out' })
      .optional()
      .describe(
        'Events of its types that it has no delivery of. Without from, those since it was created, of each type since it wants it',
      ),
    of: id('sub')
      .optional()
      .describe(
        'What another subscription of the source still had to get, of the types that both want',
      ),
    ...range,
  })
  .superRefine((body, { addIssue }) => {
    const refuse = (name: string, message: string) =>
      addIssue({ code: 'custom', path: [name], message });
    const [chosen, another] = selections.filter((name) => body[name] !== undefined);
    const { from, to } = body;
    if (chosen === undefined) {
      return refuse('the body', 'name one of deliveries, states, missing and of');
    }
    if (another) return refuse(another, `leave it out, or ${chosen}`);
    const bound = from !== undefined ? 'from' : to !== undefined ? 'to' : undefined;
    if (bound && (chosen === 'deliveries' || chosen === 'of')) {
      return refuse(bound, 'use it only with states or missing');
    }
    if (from !== undefined && to !== undefined && to <= from) refuse('to', 'use a time after from');
  });

export const retryBody = z.strictObject({
  deliveries: deliveries.describe('Only these. Those that are not pending are left out'),
});

export const redeliverEventBody = z.strictObject({
  subscription: id('sub')
    .optional()
    .describe('Only to this one, whatever its types, and also if it never had the event'),
});

/** Parses the value with the schema. Throws a RelayError that names every invalid member. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.slice(0, 10).join(', ')}: unknown field, leave it out`;
    }
    return issue.path.length > 0
      ? `${issue.path.join('.')}: ${issue.message}`
      : 'the body: use a JSON object';
  });
  throw new RelayError('invalid_parameter', `${faults.slice(0, 10).join('; ')}.`, {
    member: result.error.issues[0]?.path.join('.'),
  });
}
