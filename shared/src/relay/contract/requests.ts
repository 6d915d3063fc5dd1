import * as z from 'zod/mini';
import { events } from '../../catalogue/events.ts';
import { identifierField } from '../../catalogue/field-types.ts';
import type { Endpoint, Page } from '../../catalogue/operation.ts';
import type { WebhookEvent } from '../../webhooks/webhook-event.ts';
import {
  eventTypeField,
  idField,
  maxConcurrencyField,
  pageFields,
  periodFields,
  sizedText,
} from './contract-fields.ts';
import type {
  RelayAccess,
  RelayEvent,
  RelayEventPage,
  RelaySubscription,
  RelayTestResult,
} from './record-types.ts';

/** A request of the client: the part of the contract that its users bundle. */
export interface RelayRequest<Result, Input extends z.ZodMiniType> extends Endpoint<Input> {
  /** Words in the response that connectors show or log. */
  readonly words?: readonly string[];
  /** The type of the result. */
  readonly result?: Result;
}

/** Every request is safe to retry: PUT sets a subscription, and a deleted one stays deleted. */
function request<Result, Input extends z.ZodMiniType>(
  definition: Omit<RelayRequest<Result, Input>, 'scopes' | 'recovery' | 'output'>,
): RelayRequest<Result, Input> {
  const { requiredFields = [] } = definition;
  // Responses are read tolerantly, so a client needs no more of their schema.
  const output = z.looseObject(
    Object.fromEntries(requiredFields.map((name) => [name, z.string()])),
  );
  return { ...definition, output, scopes: [], recovery: 'resend' };
}

const byId = z.strictObject({ id: identifierField({ title: '', description: '' }) });
/** The input of a request for a record. */
export type IdInput = typeof byId;

const ofEvent = ['id', 'type', 'received_at'] as const;
const ofSubscription = ['id', 'state'] as const;

function record<Result>(
  definition: Omit<
    RelayRequest<Result, IdInput>,
    'scopes' | 'recovery' | 'output' | 'input' | 'responseShape'
  >,
): RelayRequest<Result, IdInput> {
  return request({ ...definition, input: byId, responseShape: 'record' });
}

const urlError = 'must be a URL that starts with https://, of up to 2048 characters';
export const nameLengthError = 'must have 1 to 200 characters, or be left out';
const eventsError = 'must be a list of 1 to 50 names of events, such as ["campaign.paid"]';

const nothing = z.strictObject({});
/** The input of a request without any. */
export type EmptyInput = typeof nothing;

/** In code, a misspelled name is an error. The relay takes every text that could name an event. */
type EventNames = readonly WebhookEvent['type'][];

const names = z.array(eventTypeField(), eventsError).check(
  z.refine(({ length }) => length > 0 && length <= 50, eventsError),
  z.meta({ minItems: 1, maxItems: 50 }),
) as z.ZodMiniType<string[], EventNames>;

const subscribing = z.strictObject({
  /** Where the relay delivers to: https on a public address, or any address its operator allows. */
  target_url: sizedText(2048, urlError),
  /**
   * Names of 1 to 50 events, such as `campaign.paid`. For one that this version does not know:
   * `name as UnknownEventName`, where `name` is a `string`.
   */
  events: names,
  /** The name on the operator's page, up to 200 characters. */
  name: z.optional(sizedText(200, nameLengthError)),
  /**
   * ID of another subscription that this one replaces, such as that of an earlier key or address. If
   * this one is new, or was off, it also receives what that one has not, unless that one ended more
   * than ten minutes ago. That one stays as it is.
   */
  replaces: z.optional(idField('sub')),
  /**
   * `true` also delivers what it skipped while it had ended: see `skipped` of the result. `false`
   * skips what waits for it now, such as for a test.
   */
  catch_up: z.optional(z.boolean('must be true or false')),
  /** The most deliveries at once, 1 to 16. Default: 4, or as before. */
  max_concurrency: maxConcurrencyField,
});

const subscriptionFilter = z.strictObject({
  ...pageFields,
  target_url: z.optional(
    sizedText(2048, urlError, { description: 'Only those with this target.' }),
  ),
});

const eventFilter = z.strictObject({
  /** Name of the event, such as `campaign.paid`. Default: all events. */
  type: z.optional(
    eventTypeField({
      title: 'Event',
      description: `Only events of this kind: ${Object.keys(events).join(', ')}.`,
      examples: ['campaign.paid'],
    }),
  ),
  ...periodFields,
  /**
   * Only events after this position, the first one first: `pagination.position` of the last page,
   * or `newest` for that of now. Without `from` and `to`. When the relay no longer has every event
   * since then, the request rejects with a ProblemError with status 410, whose `problem.position`
   * says where to continue.
   */
  after: z.optional(sizedText(200, 'must be a position from the relay, unchanged, or newest')),
  ...pageFields,
});

/** Every request of the client, by the name of its method. */
export const relayRequests = {
  /** The access of this key; a connection test calls it. */
  me: request<RelayAccess, EmptyInput>({
    title: 'Check Connector Key',
    method: 'GET',
    path: '/me',
    input: nothing,
    responseShape: 'record',
    requiredFields: ['name', 'source'],
    words: ['name', 'source'],
  }),
  /**
   * Subscribes the target. Each key has one subscription to it, with the events of the last call,
   * which also switches it on. An ended one continues where it stopped for ten minutes. Store the ID
   * of the last result: `unsubscribe` with an earlier one changes nothing.
   */
  subscribe: request<RelaySubscription, typeof subscribing>({
    title: 'Subscribe',
    method: 'PUT',
    path: '/subscriptions',
    input: subscribing,
    responseShape: 'record',
    requiredFields: ofSubscription,
    words: ['off_reason'],
  }),
  /** Undefined when it no longer exists. */
  getSubscription: record<RelaySubscription>({
    title: 'Get Subscription',
    method: 'GET',
    path: '/subscriptions/{id}',
    requiredFields: ofSubscription,
    words: ['off_reason'],
  }),
  /** The subscriptions of this key; with the right `read` or `manage`, of every key of the source. */
  listSubscriptions: request<Page<RelaySubscription>, typeof subscriptionFilter>({
    title: 'List Subscriptions',
    method: 'GET',
    path: '/subscriptions',
    input: subscriptionFilter,
    responseShape: 'page',
    requiredFields: ofSubscription,
  }),
  /** Succeeds even when the subscription no longer exists. */
  unsubscribe: record<undefined>({
    title: 'Unsubscribe',
    method: 'DELETE',
    path: '/subscriptions/{id}',
    body: 'none',
    allowsEmptyResponse: true,
  }),
  /**
   * Delivers the newest stored event of the subscription's kinds to its target, or a sample.
   * Resolves with undefined when the subscription no longer exists. The relay waits 15 s for the target.
   */
  sendTest: record<RelayTestResult>({
    title: 'Send Test Event',
    method: 'POST',
    path: '/subscriptions/{id}/test',
    body: 'none',
    requiredFields: ['event_id', 'event_type'],
    words: ['error'],
  }),
  /** One page of the stored events of the source. */
  listEvents: request<RelayEventPage, typeof eventFilter>({
    title: 'List Events',
    method: 'GET',
    path: '/events',
    input: eventFilter,
    responseShape: 'page',
    requiredFields: ofEvent,
  }),
  /** Undefined when it does not exist, or no longer exists. */
  getEvent: record<RelayEvent>({
    title: 'Get Event',
    method: 'GET',
    path: '/events/{id}',
    requiredFields: ofEvent,
  }),
} as const;
