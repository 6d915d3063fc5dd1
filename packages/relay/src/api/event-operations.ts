import { eraseEvents } from '../erasure/erase-events.ts';
import { eventRecord, listEvents } from '../records/event-rows.ts';
import { listEventsAfter } from '../records/events-after.ts';
import {
  findDelivery,
  findEvent,
  findSubscription,
  mustBeOn,
  mustReachAll,
} from '../records/find.ts';
import {
  deliveryQuery,
  eraseQuery,
  eventQuery,
  replayEventBody,
  retryBody,
} from '../records/input-schemas.ts';
import { getDelivery, listDeliveries } from '../records/list-deliveries.ts';
import { deliverEvent, replayEvent } from '../subscriptions/replay.ts';
import { retryDeliveries, retryDelivery } from '../subscriptions/retry-deliveries.ts';
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
  'POST /events/{id}/replay': operation({
    id: 'events.replay',
    summary: 'Replay an event',
    description:
      'To any subscription of its source, also to one that had no delivery of it yet. Without subscription_id, to all that had one and are on.',
    need: 'change',
    body: replayEventBody,
    success: { 202: 'Replayed' },
    problems: [409],
    async handle({ context, scope, id, readBody }) {
      const event = await findEvent(context, scope.source, id);
      const { subscription_id: to } = await readBody();
      if (to === undefined) return replayEvent(context, event, { token: scope.own?.token });
      const target = { ...scope, source: event.source_number };
      const { number } = mustBeOn(await findSubscription(context, target, to));
      return deliverEvent(context, event, number);
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
  'POST /deliveries/{id}/replay': operation({
    id: 'deliveries.replay',
    summary: 'Replay a delivery',
    description: 'Sends it again, with the full retry schedule.',
    need: 'change',
    success: { 202: 'Replayed' },
    problems: [409],
    async handle({ context, scope, id }) {
      const { event, subscription } = await findDelivery(context, scope, id);
      const { number } = mustBeOn(subscription);
      return replayEvent(context, event, { subscription: number });
    },
  }),
  'POST /deliveries/retry': operation({
    id: 'deliveries.retrySeveral',
    summary: 'Retry several deliveries now',
    description:
      'Makes the next attempt of up to 100 pending deliveries now. Skips those that are not pending.',
    need: 'change',
    body: retryBody,
    success: { 202: 'Retried' },
    async handle({ context, scope, readBody }) {
      const { ids } = await readBody();
      await mustReachAll(context, scope, ids);
      return retryDeliveries(context, scope.source, ids);
    },
  }),
  'POST /deliveries/{id}/retry': operation({
    id: 'deliveries.retry',
    summary: 'Retry a delivery now',
    description:
      'Makes the next attempt of a pending delivery now. Its retry schedule stays as it is.',
    need: 'change',
    success: { 202: 'Retried' },
    problems: [409],
    async handle({ context, scope, id }) {
      await findDelivery(context, scope, id);
      return retryDelivery(context, scope.source, id);
    },
  }),
};
