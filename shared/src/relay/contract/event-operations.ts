import * as z from 'zod/mini';
import { conflicts } from './conflicts.ts';
import { entry } from './entry.ts';
import { choiceOf, deliveryStates, idOf, page, period, sized } from './input-fields.ts';
import * as requests from './requests.ts';

const whole = (description: string) =>
  sized(500, 'must be a whole value, such as an email address, of up to 500 characters', {
    description,
  });

const options = ['type', 'from', 'to', 'limit', 'cursor'] as const;

/** What is done with events, and with their deliveries. */
export const eventOperations = [
  entry({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    need: 'events',
    title: requests.listEvents.title,
    description:
      'Newest first, optionally those of a period (including from, excluding to). To poll, request after=newest once, store pagination.position, and pass it as after the next time: every event is listed once, whatever the clocks say. 410 means that the relay no longer has every event since then; its position says where to continue.',
    input: z.extend(requests.listEvents.input, {
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
  entry({
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
  entry({
    id: 'events.get',
    method: 'GET',
    path: '/events/{id}',
    need: 'events',
    title: requests.getEvent.title,
    description: 'Includes its whole body.',
    input: z.strictObject({}),
    output: 'Event',
  }),
  entry({
    id: 'events.redeliver',
    method: 'POST',
    path: '/events/{id}/redeliver',
    need: 'change',
    title: 'Redeliver Event',
    description:
      'To a subscription of its source, or without one to all that had it and are on. It gets a new webhook-id.',
    input: z.strictObject({
      subscription: z.optional(
        idOf('sub', 'Only to this one, whatever its types, and also if it never had the event'),
      ),
    }),
    output: 'Started',
    statuses: [202],
    conflicts: [conflicts.erased, conflicts.deleted, conflicts.revoked],
    commands: [
      {
        words: 'events redeliver',
        does: 'Delivers an event again, to all that had it or any one',
        options: ['subscription'],
      },
    ],
  }),
  entry({
    id: 'deliveries.list',
    method: 'GET',
    path: '/deliveries',
    need: 'see',
    title: 'List Deliveries',
    description:
      'Deliveries of the newest events first, each with its attempts, optionally those of events that arrived in a period (including from, excluding to).',
    input: z.strictObject({
      ...page,
      ...period,
      state: z.optional(choiceOf(deliveryStates, 'Only deliveries in this state')),
      subscription_id: z.optional(idOf('sub', 'Only deliveries to this subscription')),
      event_id: z.optional(idOf('evt', 'Only deliveries of this event')),
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
  entry({
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
