import { relayContract } from '@screen-advertising/core/relay-contract';
import { sql } from 'kysely';
import {
  type InputOf,
  type OperationId,
  type OperatorInput,
  type OutputOf,
  parseWithSchema,
  timestampToMs,
} from '../base/contract.ts';
import { ProblemResponseError } from '../base/http.ts';
import { subscriptionId as idOfRow, readSubscriptionId, type SubscriptionId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import { sqlIf } from '../base/statements.ts';
import type { RelayContext } from '../log/context.ts';
import { eraseEvents } from '../log/erase.ts';
import { eventRecordWithWaiting, listEvents, listEventsAfter } from '../log/events.ts';
import { findWaitingSubscriptions } from '../log/waiting.ts';
import { sqlIsSubscribed } from '../log/wants.ts';
import { normalizeTarget } from '../outbound/targets.ts';
import {
  findEvent,
  findSource,
  findSubscription,
  findSubscriptionInAnyState,
  fullSubscriptionRecord,
  getDelivery,
  listDeliveries,
  listSubscriptions,
  subscriptionRecord,
} from '../subscribe/records.ts';
import { redeliver, redeliverEvent, retryPendingDeliveries } from '../subscribe/redeliver.ts';
import { type AccessScope, accessScopeOf } from '../subscribe/rights.ts';
import { sendTestEvent } from '../subscribe/send-test.ts';
import { checkEventNames, subscribe } from '../subscribe/subscribe.ts';
import { switchOffOrOnByOperator, unsubscribe } from '../subscribe/switch-off.ts';
import type { Caller } from './authenticate.ts';

interface Call<Id extends OperationId> {
  readonly context: RelayContext;
  readonly caller: Caller;
  readonly scope: AccessScope;
  /** The one in the path. */
  readonly id: string;
  readonly input: InputOf<Id>;
  /** Default: the first status of the operation. */
  setStatus(status: 201): void;
}

/** Carries out an operation of the contract, and returns the body of the response, if it has one. */
type Handler<Id extends OperationId> = (call: Call<Id>) => OutputOf<Id> | Promise<OutputOf<Id>>;

/** By operation; of all whose IDs start so. */
type HandlersOf<Start extends string = string> = {
  readonly [Id in Extract<OperationId, Start>]: Handler<Id>;
};

const subscriptionHandlers: HandlersOf<`subscriptions.${string}`> = {
  async 'subscriptions.put'({ context, caller: { source, token }, input, setStatus }) {
    const { target_url, catch_up, events: names, name, replaces, max_concurrency } = input;
    const fault = context.outbound.rules.whyNot(target_url);
    if (fault) throw new ProblemResponseError('invalid-parameter', `target_url: ${fault}.`);
    const place = { source, token, targetUrl: normalizeTarget(target_url) };
    const events = await checkEventNames(context, place, names);
    const how = { catchUp: catch_up, replaces, name, maxConcurrency: max_concurrency };
    const { row, isNew, previousEvents, skipped } = await subscribe(context, {
      ...place,
      events,
      ...how,
    });
    if (isNew) setStatus(201);
    return {
      ...subscriptionRecord(row),
      ...(previousEvents && { previous_events: [...previousEvents] }),
      ...(skipped && { skipped: { ...skipped, from: skipped.from.toISOString() } }),
    };
  },
  'subscriptions.list': ({ context, scope, input }) => listSubscriptions(context, scope, input),
  'subscriptions.get': async ({ context, scope, id }) =>
    fullSubscriptionRecord(context, await findSubscription(context, scope, id)),
  async 'subscriptions.change'({ context, scope, id, input }) {
    const row = await findSubscription(context, scope, id);
    const { state, ...changed } = input;
    if (state !== undefined) await switchOffOrOnByOperator(context, row, state);
    if (Object.keys(changed).length > 0) {
      const { db } = context;
      await db.updateTable('subscription').set(changed).where('number', '=', row.number).execute();
    }
    return fullSubscriptionRecord(context, await findSubscription(context, scope, id));
  },
  async 'subscriptions.delete'({ context, scope, id }) {
    await unsubscribe(context, scope, id);
    return undefined;
  },
  'subscriptions.test': async ({ context, scope, id }) =>
    sendTestEvent(context, await findSubscription(context, scope, id)),
  async 'subscriptions.redeliver'({ context, scope, caller, id, input }) {
    const row = await findSubscriptionInAnyState(context, scope, id);
    const period = { from: timestampToMs(input.from), to: timestampToMs(input.to) };
    if (input.of === undefined) return redeliver(context, row, { ...input, ...period });
    const seen = { ...accessScopeOf(caller, 'see'), source: row.source_number };
    const other = await findSubscriptionInAnyState(context, seen, input.of);
    if (other.number === row.number) {
      throw new RelayError('invalid_parameter', 'of must be another subscription than this one.');
    }
    return redeliver(context, row, { of: other.id });
  },
  async 'subscriptions.retry'({ context, scope, id, input }) {
    return retryPendingDeliveries(
      context,
      await findSubscriptionInAnyState(context, scope, id),
      input.deliveries,
    );
  },
};

/** Whose subscriptions it counts: undefined for all. */
const tokenOf = (caller: Parameters<typeof accessScopeOf>[0]) =>
  accessScopeOf(caller, 'see').own?.token;

const eventHandlers: HandlersOf<`${'events' | 'deliveries'}.${string}`> = {
  'events.list': ({ context, scope: { source }, caller, input: { from, to, ...input } }) => {
    const filter = { ...input, from: timestampToMs(from), to: timestampToMs(to) };
    return input.after === undefined
      ? listEvents(context, source, filter, tokenOf(caller))
      : listEventsAfter(context, source, filter);
  },
  'events.erase': ({ context, scope, input }) => eraseEvents(context, scope.source, input.search),
  async 'events.get'({ context, scope, caller, id }) {
    const event = await findEvent(context, scope.source, id);
    const waiting = await findWaitingSubscriptions(context.db, [event], tokenOf(caller));
    return eventRecordWithWaiting(event, waiting);
  },
  async 'events.redeliver'({ context, scope, id, input: { subscription } }) {
    const event = await findEvent(context, scope.source, id);
    if (subscription === undefined) {
      return redeliverEvent(context, event, { token: scope.own?.token });
    }
    const target = { ...scope, source: event.source_number };
    const { number } = await findSubscriptionInAnyState(context, target, subscription);
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

type AnyHandler = (
  call: Omit<Call<OperationId>, 'input'> & { readonly input: unknown },
) => Promise<unknown>;

export function handlerOf(id: OperationId): AnyHandler {
  return handlers[id] as AnyHandler;
}

const operator = { token: 0, name: '', source: 0, sourceName: '', rights: ['manage'] } as const;

/** Members of an input that hold the ID of a subscription. */
const ofSubscriptions = ['subscription', 'subscription_id', 'of'];

/**
 * Carries out an operation of the API for an operator, who reaches every source, and may use the
 * names of subscriptions instead of IDs. Rejects with a RelayError.
 */
export async function runAsOperator<Id extends OperationId>(
  context: RelayContext,
  operation: Id,
  ...[asked]: OperatorInput<Id>
): Promise<OutputOf<Id>> {
  const { id = '', source: name, ...input } = (asked ?? {}) as Record<string, string>;
  const source = name === undefined ? undefined : await findSource(context, name);
  const idOf = (text: string) => subscriptionId(context, source, text);
  for (const member of ofSubscriptions) {
    const text = input[member];
    if (typeof text === 'string') input[member] = await idOf(text);
  }
  const result = await handlerOf(operation)({
    context,
    caller: operator,
    scope: { source },
    id: operation.startsWith('subscriptions.') && id !== '' ? await idOf(id) : id,
    input: parseWithSchema(relayContract[operation].input, input),
    setStatus: () => undefined,
  });
  return result as OutputOf<Id>;
}

/**
 * The ID of a subscription, given that ID, or its name in any case if only one has it. Throws a
 * RelayError for a name that none has, or several.
 */
async function subscriptionId(
  { db }: RelayContext,
  source: number | undefined,
  text: string,
): Promise<string> {
  if (readSubscriptionId(text)) return text;
  const { rows } = await sql<SubscriptionId>`
    SELECT id, generation FROM subscription
    WHERE ${sqlIsSubscribed} AND lower(name) = lower(${text})
      ${sqlIf(source, (number) => sql`AND source_number = ${number}`)}
    LIMIT 2`.execute(db);
  const [found, another] = rows;
  if (found && !another) return idOfRow(found);
  throw another
    ? new RelayError('conflict', `Several subscriptions are named "${text}". Use the ID of one.`)
    : new RelayError('not_found', `There is no subscription ${text}.`);
}
