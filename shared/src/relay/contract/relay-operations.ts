import * as z from 'zod/mini';
import {
  choiceOfValues,
  deliveryStates,
  fieldMeta,
  idField,
  maxConcurrencyField,
  pageFields,
  periodFields,
  sizedText,
} from './contract-fields.ts';
import { conflictReasons, defineRelayOperation } from './entry.ts';
import { nameLengthError, relayRequests } from './requests.ts';

const nothing = z.strictObject({});

const listError = 'must be a list of 1 to 100 IDs of deliveries, such as ["dlv_0190…"]';
const deliveries = (description: string) =>
  z.optional(
    z.array(idField('dlv'), listError).check(
      z.refine(({ length }) => length > 0 && length <= 100, listError),
      fieldMeta({ minItems: 1, maxItems: 100, description } as object),
    ),
  );

const statesError = `must be a list of one or more of ${deliveryStates.join(', ')}`;
const selections = ['deliveries', 'states', 'missing', 'of'] as const;

type Asked = { readonly [Name in (typeof selections)[number] | 'from' | 'to']?: unknown };

/** The input that is wrong in a combination, and why. */
function faultOf(asked: Asked): readonly [field: string, fault: string] | undefined {
  const [chosen, another] = selections.filter((name) => asked[name] !== undefined);
  const [bound] = (['from', 'to'] as const).filter((name) => asked[name] !== undefined);
  if (!chosen) return ['the body', 'must name one of deliveries, states, missing and of'];
  if (another) return [another, `must be left out, or ${chosen}`];
  if (bound && (chosen === 'deliveries' || chosen === 'of')) {
    return [bound, 'must be left out without states or missing'];
  }
  const { from, to } = asked;
  const isInOrder = !from || !to || Date.parse(String(from)) < Date.parse(String(to));
  return isInOrder ? undefined : ['to', 'must be a time after from'];
}

const subscriptionOperations = [
  defineRelayOperation({
    id: 'subscriptions.put',
    method: 'PUT',
    path: '/subscriptions',
    need: 'change',
    title: relayRequests.subscribe.title,
    description:
      'A token has one subscription to a target, and it stays the same. PUT creates it, or sets its events and switches it on. One that was deleted more than ten minutes ago skips the events since then, and the response says how many; any other continues where it stopped. An event is wanted from the request on that first names it. What is pending of events that are left out goes to the dead list. Names of events that do not exist are rejected.',
    input: relayRequests.subscribe.input,
    fields: {
      events: 'Names of events, or "*" for all of the service, including future ones',
      catch_up:
        'true also delivers what it skipped while it was deleted. false skips what waits for it now. Without it, one that was deleted continues where it stopped for ten minutes',
      replaces:
        'Another subscription of the source that this one replaces. If this one is new, or was off, it also gets what that one has not: what is pending, and the events after its position, of the types that both want. That one stays as it is',
    },
    output: 'Subscription',
    statuses: [200, 201],
  }),
  defineRelayOperation({
    id: 'subscriptions.list',
    method: 'GET',
    path: '/subscriptions',
    need: 'see',
    title: relayRequests.listSubscriptions.title,
    description: 'Newest first.',
    input: relayRequests.listSubscriptions.input,
    output: 'SubscriptionPage',
    commands: [
      {
        words: 'subscriptions list',
        does: 'Lists subscriptions, newest first',
        options: ['limit', 'cursor'],
      },
    ],
  }),
  defineRelayOperation({
    id: 'subscriptions.get',
    method: 'GET',
    path: '/subscriptions/{id}',
    need: 'see',
    title: relayRequests.getSubscription.title,
    description: 'Its state says whether it receives events.',
    input: nothing,
    output: 'Subscription',
    commands: [
      {
        words: 'subscriptions get',
        does: 'Shows one: its target, why it is off or fails, what waits',
      },
    ],
  }),
  defineRelayOperation({
    id: 'subscriptions.change',
    method: 'PATCH',
    path: '/subscriptions/{id}',
    need: 'change',
    title: 'Change Subscription',
    description:
      'Switches it off or on, renames it, or limits it. A limit holds from a second later on. Off stops its deliveries and keeps its position; on continues there, with the events that arrived meanwhile. Its pending deliveries stay pending.',
    input: z.strictObject({
      state: z.optional(choiceOfValues(['active', 'off'])),
      name: z.optional(sizedText(200, nameLengthError)),
      max_concurrency: maxConcurrencyField,
    }),
    output: 'Subscription',
    conflicts: [conflictReasons.switchRevoked, conflictReasons.switchRotated],
    commands: [
      {
        words: 'subscriptions off',
        does: 'Switches off a subscription; it keeps its position',
        fixed: { state: 'off' },
      },
      {
        words: 'subscriptions on',
        does: 'Switches it on again; it continues where it stopped',
        fixed: { state: 'active' },
      },
      {
        words: 'subscriptions limit',
        does: 'Limits its deliveries at once',
        options: ['max_concurrency'],
        requires: 'max_concurrency',
      },
    ],
  }),
  defineRelayOperation({
    id: 'subscriptions.delete',
    method: 'DELETE',
    path: '/subscriptions/{id}',
    need: 'change',
    title: relayRequests.unsubscribe.title,
    description:
      'It keeps its place. A PUT within ten minutes continues there; then deliveries that were attempted without success go to the dead list. The ID counts: after another PUT, deleting an earlier one changes nothing, and returns 204, too.',
    input: nothing,
    output: undefined,
    statuses: [204],
    commands: [{ words: 'subscriptions delete', does: 'Deletes one that is not needed any more' }],
  }),
  defineRelayOperation({
    id: 'subscriptions.test',
    method: 'POST',
    path: '/subscriptions/{id}/test',
    need: 'change',
    title: relayRequests.sendTest.title,
    description:
      'Sends the newest stored event of its types, or else a sample, to the target and returns the response. Its webhook-id starts with test_. The header x-relay-test is "stored" or "sample"; a sample has "is_sample": true in its body.',
    input: nothing,
    output: 'TestResult',
  }),
  defineRelayOperation({
    id: 'subscriptions.redeliver',
    method: 'POST',
    path: '/subscriptions/{id}/redeliver',
    need: 'change',
    title: 'Redeliver',
    description:
      'Delivers again what one of deliveries, states, missing and of names, each with a fresh retry schedule. A delivery that it had gets a new webhook-id. A period (including from, excluding to) is that of the arrival of events. The same request begins again while it is not done.',
    input: z
      .strictObject({
        states: z.optional(
          z.array(choiceOfValues(deliveryStates), statesError).check(
            z.refine(({ length }) => length > 0, statesError),
            fieldMeta({
              minItems: 1,
              description: 'Deliveries in these states, such as dead',
            } as object),
          ),
        ),
        deliveries: deliveries('These deliveries, by their IDs'),
        missing: z.optional(z.literal(true, 'must be true, or left out')).check(
          fieldMeta({
            description:
              'If true, events of its types that it has no delivery of. Without `from`, those since it was created and wants their type',
          }),
        ),
        of: z.optional(
          idField(
            'sub',
            'What another subscription of the source still had to get, of the types that both want',
          ),
        ),
        ...periodFields,
      })
      .check((context) => {
        const [field, message] = faultOf(context.value) ?? [];
        if (field === undefined || message === undefined) return;
        context.issues.push({ code: 'custom', input: context.value, path: [field], message });
      }),
    output: 'Started',
    statuses: [202],
    conflicts: [conflictReasons.deleted, conflictReasons.revoked],
    commands: [
      {
        words: 'subscriptions redeliver',
        does: 'Delivers again those in --states or of --deliveries, or what is --missing',
        options: ['states', 'deliveries', 'missing', 'of', 'from', 'to'],
      },
    ],
  }),
  defineRelayOperation({
    id: 'subscriptions.retry',
    method: 'POST',
    path: '/subscriptions/{id}/retry',
    need: 'change',
    title: 'Retry',
    description:
      'Makes the next attempt of its pending deliveries now. Their retry schedules stay as they are.',
    input: z.strictObject({
      deliveries: deliveries('Only these. Those that are not pending are left out'),
    }),
    output: 'Started',
    statuses: [202],
    conflicts: [conflictReasons.deleted, conflictReasons.revoked],
    commands: [
      {
        words: 'subscriptions retry',
        does: 'Makes the next attempt of its pending deliveries now',
        options: ['deliveries'],
      },
    ],
  }),
] as const;

const whole = (description: string) =>
  sizedText(500, 'must be a whole value, such as an email address, of up to 500 characters', {
    description,
  });

const options = ['type', 'from', 'to', 'limit', 'cursor'] as const;

const eventOperations = [
  defineRelayOperation({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    need: 'events',
    title: relayRequests.listEvents.title,
    description:
      'Newest first, optionally those of a period (including from, excluding to). To poll, request after=newest once, store pagination.position, and pass it as after the next time: every event is listed once, whatever the clocks say. 410 means that the relay no longer has every event since then; its position says where to continue.',
    input: z.extend(relayRequests.listEvents.input, {
      search: z.optional(
        whole(
          'Only events with this ID, or with this value in their data, such as an email address or a coupon code; the whole value, in any case',
        ),
      ),
    }),
    fields: {
      after:
        'Only events after this position, the first one first; "newest" returns only the current position',
    },
    output: 'EventPage',
    problems: {
      410: 'The relay no longer has every event after this position. `position` says where to continue.',
    },
    commands: [
      { words: 'events list', does: 'Lists events, newest first', options },
      {
        words: 'events find',
        does: 'Finds events by ID or a whole value, such as an email',
        takes: ['TEXT', 'search'],
        options,
      },
    ],
  }),
  defineRelayOperation({
    id: 'events.erase',
    method: 'DELETE',
    path: '/events',
    need: 'erase',
    title: 'Erase Events',
    description:
      'Erases what the relay keeps of every event with an ID, or with a value in its data: body, search values, and the responses of subscribers. Responds when it is gone. The rows stay, marked.',
    input: z.strictObject({
      search: whole('Events with this ID, or with this value in their data, in any case'),
    }),
    output: 'Erased',
    commands: [
      {
        words: 'events erase',
        does: 'Erases what is stored of events with an ID or a whole value',
        takes: ['TEXT', 'search'],
      },
    ],
  }),
  defineRelayOperation({
    id: 'events.get',
    method: 'GET',
    path: '/events/{id}',
    need: 'events',
    title: relayRequests.getEvent.title,
    description: 'Includes its whole body.',
    input: z.strictObject({}),
    output: 'Event',
  }),
  defineRelayOperation({
    id: 'events.redeliver',
    method: 'POST',
    path: '/events/{id}/redeliver',
    need: 'change',
    title: 'Redeliver Event',
    description:
      'To a subscription of its source, or without one to all that had it and are on. It gets a new webhook-id.',
    input: z.strictObject({
      subscription: z.optional(
        idField('sub', 'Only to this one, whatever its types, and also if it never had the event'),
      ),
    }),
    output: 'Started',
    statuses: [202],
    conflicts: [conflictReasons.erased, conflictReasons.deleted, conflictReasons.revoked],
    commands: [
      {
        words: 'events redeliver',
        does: 'Delivers an event again, to all that had it or any one',
        options: ['subscription'],
      },
    ],
  }),
  defineRelayOperation({
    id: 'deliveries.list',
    method: 'GET',
    path: '/deliveries',
    need: 'see',
    title: 'List Deliveries',
    description:
      'Deliveries of the newest events first, each with its attempts, optionally those of events that arrived in a period (including from, excluding to).',
    input: z.strictObject({
      ...pageFields,
      ...periodFields,
      state: z.optional(choiceOfValues(deliveryStates, 'Only deliveries in this state')),
      subscription_id: z.optional(idField('sub', 'Only deliveries to this subscription')),
      event_id: z.optional(idField('evt', 'Only deliveries of this event')),
    }),
    output: 'DeliveryPage',
    problems: {
      403: 'The token lacks a right; `detail` names it.',
      404: 'It does not exist, or belongs to another source.',
    },
    commands: [
      {
        words: 'deliveries list',
        does: 'Lists deliveries',
        options: ['state', 'subscription_id', 'event_id', 'from', 'to', 'limit', 'cursor'],
      },
    ],
  }),
  defineRelayOperation({
    id: 'deliveries.get',
    method: 'GET',
    path: '/deliveries/{id}',
    need: 'see',
    title: 'Get Delivery',
    description: 'Includes what the target responded to each attempt.',
    input: z.strictObject({}),
    output: 'Delivery',
    commands: [
      {
        words: 'deliveries get',
        does: 'Shows one, with what its target responded to each attempt',
      },
    ],
  }),
] as const;

const me = defineRelayOperation({
  id: 'me',
  method: 'GET',
  path: '/me',
  need: 'events',
  title: relayRequests.me.title,
  description: 'Name, source, and rights of the token.',
  input: z.strictObject({}),
  output: 'Me',
});

const all = [me, ...subscriptionOperations, ...eventOperations] as const;

type Entry = (typeof all)[number];

/** Every operation of the relay's API, by its ID. */
export type RelayContract = { readonly [One in Entry as One['id']]: One };

/** Every operation of the relay's API, by its ID. */
export const relayContract = Object.fromEntries(
  all.map((one) => [one.id, one]),
) as unknown as RelayContract;
