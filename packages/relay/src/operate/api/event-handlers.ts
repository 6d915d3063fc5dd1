import { eraseEvents } from '../../log/erase-events.ts';
import { eventRecord, listEvents } from '../../log/event-rows.ts';
import { listEventsAfter } from '../../log/events-after.ts';
import { momentOf } from '../../subscribe/records/check-input.ts';
import { findEvent, findRow } from '../../subscribe/records/find.ts';
import { getDelivery, listDeliveries } from '../../subscribe/records/list-deliveries.ts';
import { redeliverEvent } from '../../subscribe/redeliver.ts';
import type { HandlersOf } from './handler.ts';

export const eventHandlers: HandlersOf<`${'events' | 'deliveries'}.${string}`> = {
  'events.list': ({ context, scope, input: { from, to, ...input } }) => {
    const list = input.after === undefined ? listEvents : listEventsAfter;
    return list(context, scope.source, { ...input, from: momentOf(from), to: momentOf(to) });
  },
  'events.erase': ({ context, scope, input }) => eraseEvents(context, scope.source, input.search),
  'events.get': async ({ context, scope, id }) =>
    eventRecord(await findEvent(context, scope.source, id)),
  async 'events.redeliver'({ context, scope, id, input: { subscription } }) {
    const event = await findEvent(context, scope.source, id);
    if (subscription === undefined) {
      return redeliverEvent(context, event, { token: scope.own?.token });
    }
    const target = { ...scope, source: event.source_number };
    const { number } = await findRow(context, target, subscription);
    return redeliverEvent(context, event, { subscription: number });
  },
  'deliveries.list': ({ context, scope, input }) => listDeliveries(context, scope, input),
  'deliveries.get': ({ context, scope, id }) => getDelivery(context, scope, id),
};
