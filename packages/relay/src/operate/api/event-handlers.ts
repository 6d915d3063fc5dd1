import { momentOf, type OperationId } from '../../base/contract.ts';
import { eraseEvents } from '../../log/erase.ts';
import { listEvents, listEventsAfter, waitingRecord } from '../../log/events.ts';

import { waitingFor } from '../../log/waiting.ts';
import { findEvent, findRow, getDelivery, listDeliveries } from '../../subscribe/records.ts';

import { redeliverEvent } from '../../subscribe/redeliver.ts';
import { scopeOf } from '../../subscribe/rights.ts';
import type { Call, HandlersOf } from './handler.ts';
import { subscriptionHandlers } from './subscription-handlers.ts';

/** Whose subscriptions it counts: undefined for all. */
const tokenOf = (caller: Parameters<typeof scopeOf>[0]) => scopeOf(caller, 'see').own?.token;

export const eventHandlers: HandlersOf<`${'events' | 'deliveries'}.${string}`> = {
  'events.list': ({ context, scope: { source }, caller, input: { from, to, ...input } }) => {
    const filter = { ...input, from: momentOf(from), to: momentOf(to) };
    return input.after === undefined
      ? listEvents(context, source, filter, tokenOf(caller))
      : listEventsAfter(context, source, filter);
  },
  'events.erase': ({ context, scope, input }) => eraseEvents(context, scope.source, input.search),
  async 'events.get'({ context, scope, caller, id }) {
    const event = await findEvent(context, scope.source, id);
    const waiting = await waitingFor(context.db, [event], tokenOf(caller));
    return waitingRecord(event, waiting);
  },
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

const handlers: HandlersOf = {
  me: ({ caller: { name, sourceName: source, rights } }) => ({
    name,
    source,
    rights: [...rights],
  }),
  ...subscriptionHandlers,
  ...eventHandlers,
};

export type AnyHandler = (
  call: Omit<Call<OperationId>, 'input'> & { readonly input: unknown },
) => Promise<unknown>;

export function handlerOf(id: OperationId): AnyHandler {
  return handlers[id] as AnyHandler;
}
