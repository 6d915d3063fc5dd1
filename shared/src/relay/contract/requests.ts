import * as z from 'zod/mini';
import { events } from '../../catalogue/events.ts';
import { identifier } from '../../catalogue/field-types.ts';
import type { Endpoint, ResponseShape } from '../../catalogue/operation.ts';
import { eventType, idOf, maxConcurrency, page, period, sized } from './fields.ts';
import type {
  RelayAccess,
  RelayEvent,
  RelaySubscription,
  RelayTestResult,
} from './record-types.ts';

/** What the client sends: the part of the contract that its users bundle. */
type Request<Output, Input extends z.ZodMiniType, Kind extends ResponseShape> = Endpoint<
  Input,
  z.ZodMiniType<Output>,
  Kind
>;

/** Every request is safe to retry: PUT sets a subscription, and a deleted one stays deleted. */
function request<Output, Input extends z.ZodMiniType, Kind extends ResponseShape>(
  definition: Omit<Request<Output, Input, Kind>, 'scopes' | 'recovery' | 'output'>,
): Request<Output, Input, Kind> {
  const { requiredFields = [] } = definition;
  // Responses are read tolerantly, so a client needs no more of their schema.
  const output = z.looseObject(
    Object.fromEntries(requiredFields.map((name) => [name, z.string()])),
  ) as unknown as z.ZodMiniType<Output>;
  return { ...definition, output, scopes: [], recovery: 'resend' };
}

const byId = z.strictObject({ id: identifier({ title: '', description: '' }) });
const ofEvent = ['id', 'type', 'received_at'] as const;
const ofSubscription = ['id', 'state'] as const;

function record<Output>(
  definition: Pick<Endpoint, 'title' | 'method' | 'path' | 'requiredFields'> &
    Partial<Pick<Endpoint, 'body' | 'allowsEmptyResponse'>>,
) {
  return request<Output, typeof byId, 'record'>({
    ...definition,
    input: byId,
    responseShape: 'record',
  });
}

export const me = request<RelayAccess, z.ZodMiniType, 'record'>({
  title: 'Check Connector Key',
  method: 'GET',
  path: '/me',
  input: z.strictObject({}),
  responseShape: 'record',
  requiredFields: ['name', 'source'],
});

/** What these must be. */
const urlError = 'must be a URL that starts with https://, of up to 2048 characters';
export const nameError = 'must have 1 to 200 characters, or be left out';
const eventsError = 'must be a list of 1 to 50 names of events, such as ["campaign.paid"]';

const subscribing = z.strictObject({
  target_url: sized(2048, urlError),
  events: z.array(eventType(), eventsError).check(
    z.refine(({ length }) => length > 0 && length <= 50, eventsError),
    z.meta({ minItems: 1, maxItems: 50 }),
  ),
  name: z.optional(sized(200, nameError)),
  replaces: z.optional(idOf('sub')),
  catch_up: z.optional(z.boolean('must be true or false')),
  max_concurrency: maxConcurrency,
});

export const subscribe = request<RelaySubscription, typeof subscribing, 'record'>({
  title: 'Subscribe',
  method: 'PUT',
  path: '/subscriptions',
  input: subscribing,
  responseShape: 'record',
  requiredFields: ofSubscription,
});

export const getSubscription = record<RelaySubscription>({
  title: 'Get Subscription',
  method: 'GET',
  path: '/subscriptions/{id}',
  requiredFields: ofSubscription,
});

const subscriptionFilter = z.strictObject({
  ...page,
  target_url: z.optional(sized(2048, urlError, { description: 'Only those with this target.' })),
});

export const listSubscriptions = request<RelaySubscription, typeof subscriptionFilter, 'page'>({
  title: 'List Subscriptions',
  method: 'GET',
  path: '/subscriptions',
  input: subscriptionFilter,
  responseShape: 'page',
  requiredFields: ofSubscription,
});

export const unsubscribe = record<Record<string, unknown>>({
  title: 'Unsubscribe',
  method: 'DELETE',
  path: '/subscriptions/{id}',
  body: 'none',
  allowsEmptyResponse: true,
});

export const sendTest = record<RelayTestResult>({
  title: 'Send Test Event',
  method: 'POST',
  path: '/subscriptions/{id}/test',
  body: 'none',
  requiredFields: ['event_id', 'event_type'],
});

const eventFilter = z.strictObject({
  type: z.optional(
    eventType({
      title: 'Event',
      description: `Only events of this kind: ${Object.keys(events).join(', ')}.`,
      examples: ['campaign.paid'],
    }),
  ),
  ...period,
  after: z.optional(sized(200, 'must be a position from the relay, unchanged, or newest')),
  ...page,
});

export const listEvents = request<RelayEvent, typeof eventFilter, 'page'>({
  title: 'List Events',
  method: 'GET',
  path: '/events',
  input: eventFilter,
  responseShape: 'page',
  requiredFields: ofEvent,
});

export const getEvent = record<RelayEvent>({
  title: 'Get Event',
  method: 'GET',
  path: '/events/{id}',
  requiredFields: ofEvent,
});
