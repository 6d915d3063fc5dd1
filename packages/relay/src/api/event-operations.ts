import { eraseEvents } from '../erasure/erase-events.ts';
import { eventRecord, listEvents } from '../records/event-rows.ts';
import { listEventsAfter } from '../records/events-after.ts';
import { findEvent, findRow } from '../records/find.ts';
import {
  deliveryQuery,
  eraseQuery,
  eventQuery,
  redeliverEventBody,
} from '../records/input-schemas.ts';
import { getDelivery, listDeliveries } from '../records/list-deliveries.ts';
import { redeliverEvent } from '../subscriptions/redeliver-event.ts';
import { operation } from './operation.ts';

export const eventOperations = {
  'GET /events': operation({
    id: 'events.list',
    summary: 'List events',
    description:
      'Newest first, optionally those of a period (including from, excluding to). To poll, request after=newest once, store pagination.position, and pass it as after the next time: every event is listed once, whatever the clocks say. 410 means that the relay no longer has every event since then; its position says where to continue.',
    need: 'events',
    query: eventQuery,
    success: { 200: 'EventPage' },
    problems: [410],
    handle({ context, scope, query }) {
      const list = query.after === undefined ? listEvents : listEventsAfter;
      return list(context, scope.source, query);
    },
  }),
  'DELETE /events': operation({
    id: 'events.erase',
    summary: 'Erase events',
    description:
      'Erases what the relay keeps of every event with an ID, or with a value in its data: body, search values, and the responses of subscribers. Responds when it is gone. The rows stay, marked.',
    need: 'erase',
    query: eraseQuery,
    success: { 200: 'Erased' },
    handle: ({ context, scope, query }) => eraseEvents(context, scope.source, query.search),
  }),
  'GET /events/{id}': operation({
    id: 'events.get',
    summary: 'Get an event',
    description: 'Includes its whole body.',
    need: 'events',
    success: { 200: 'Event' },
    handle: async ({ context, scope, id }) =>
      eventRecord(await findEvent(context, scope.source, id)),
  }),
  'POST /events/{id}/redeliver': operation({
    id: 'events.redeliver',
    summary: 'Redeliver an event',
    description:
      'To a subscription of its source, or without one to all that had it and are on. It gets a new webhook-id.',
    need: 'change',
    body: redeliverEventBody,
    success: { 202: 'Started' },
    problems: [409],
    async handle({ context, scope, id, readBody }) {
      const event = await findEvent(context, scope.source, id);
      const { subscription } = await readBody();
      if (subscription === undefined) {
        return redeliverEvent(context, event, { token: scope.own?.token });
      }
      const target = { ...scope, source: event.source_number };
      const { number } = await findRow(context, target, subscription);
      return redeliverEvent(context, event, { subscription: number });
    },
  }),
};

export const deliveryOperations = {
  'GET /deliveries': operation({
    id: 'deliveries.list',
    summary: 'List deliveries',
    description: 'Deliveries of the newest events first, each with its attempts.',
    need: 'see',
    query: deliveryQuery,
    success: { 200: 'DeliveryPage' },
    problems: [403, 404],
    handle: ({ context, scope, query }) => listDeliveries(context, scope, query),
  }),
  'GET /deliveries/{id}': operation({
    id: 'deliveries.get',
    summary: 'Get a delivery',
    description: 'Includes what the target responded to each attempt.',
    need: 'see',
    success: { 200: 'Delivery' },
    handle: ({ context, scope, id }) => getDelivery(context, scope, id),
  }),
};
