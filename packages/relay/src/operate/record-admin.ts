import {
  type RelayContract,
  type RelayOperation,
  relayContract,
} from '@screen-advertising/core/relay-contract';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { OperationId, OutputOf } from '../log/contract-types.ts';
import { subscriptionId as idOfRow, readSubscriptionId } from '../log/database/ids.ts';
import { isSubscribed } from '../log/database/reading-subscriptions.ts';
import { RelayError } from '../relay-error.ts';
import { check } from '../subscribe/records/check-input.ts';
import { handlerOf } from './api/api-app.ts';
import { findSource } from './find-source.ts';

/** Name of the source. Default: all sources. */
type OfSource = { readonly source?: string | undefined };

type Fields<Id extends OperationId> = keyof RelayContract[Id]['input']['shape'] extends never
  ? unknown
  : Readonly<z.input<RelayContract[Id]['input']>>;

type InputOf<Id extends OperationId> = OfSource & Fields<Id>;

/** It can be left out if the operation needs none of it. */
type Input<Id extends OperationId> =
  OfSource extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

/** An operation of the API as a function, with the ID in its path first. */
type Method<Id extends OperationId> = RelayContract[Id]['path'] extends `${string}{id}${string}`
  ? (id: string, ...input: Input<Id>) => Promise<OutputOf<Id>>
  : (...input: Input<Id>) => Promise<OutputOf<Id>>;

/** Of the operations on some records, by their verbs. */
type Verbs<Records extends string> = {
  readonly [Id in OperationId as Id extends `${Records}.${infer Verb}` ? Verb : never]: Method<Id>;
};

/** Put and delete are for the token that subscribes. */
interface SubscriptionAdmin extends Omit<Verbs<'subscriptions'>, 'put' | 'delete'> {
  /** Stops its deliveries. It keeps its position. */
  off(id: string, input?: OfSource): Promise<OutputOf<'subscriptions.change'>>;
  /** Continues where it stopped. Dead deliveries need `redeliver`. */
  on(id: string, input?: OfSource): Promise<OutputOf<'subscriptions.change'>>;
}

export interface RecordAdmin {
  readonly subscriptions: SubscriptionAdmin;
  readonly events: Verbs<'events'>;
  readonly deliveries: Verbs<'deliveries'>;
  /** Any operation of the API. The ID is that in its path, if it has one. */
  operate(operation: OperationId, id: string, input?: Given): Promise<unknown>;
}

type Given = OfSource & Readonly<Record<string, unknown>>;

/** Operators have no token. */
const operator = { token: 0, name: '', source: 0, sourceName: '', rights: ['manage'] } as const;

/** Members of an input that hold the ID of a subscription. */
const ofSubscriptions = ['subscription', 'subscription_id', 'of'] as const;

/**
 * Operations of the API for operators, who reach every source, and may use the names of
 * subscriptions instead of IDs. Each rejects with a RelayError.
 */
export function recordAdmin(context: RelayContext): RecordAdmin {
  async function operate(
    operation: OperationId,
    id: string,
    { source: name, ...given }: Given = {},
  ): Promise<unknown> {
    const source = name === undefined ? undefined : await findSource(context, name);
    const idOf = (text: string) => subscriptionId(context, source, text);
    const input: Record<string, unknown> = { ...given };
    for (const member of ofSubscriptions) {
      const text = input[member];
      if (typeof text === 'string') input[member] = await idOf(text);
    }
    return handlerOf(operation)({
      context,
      caller: operator,
      scope: { source },
      id: operation.startsWith('subscriptions.') && id !== '' ? await idOf(id) : id,
      input: check(relayContract[operation].input, input),
      setStatus: () => undefined,
    });
  }
  const verbs = (records: string) =>
    Object.fromEntries(
      Object.values<RelayOperation>(relayContract).flatMap(({ id, path }) => {
        const [of, verb = ''] = id.split('.');
        const one = (record: string, input?: Given) => operate(id as OperationId, record, input);
        const all = (input?: Given) => operate(id as OperationId, '', input);
        return of === records ? [[verb, path.includes('{id}') ? one : all]] : [];
      }),
    );
  const switched =
    (state: 'active' | 'off') =>
    (id: string, { source }: OfSource = {}) =>
      operate('subscriptions.change', id, { source, state });
  return {
    subscriptions: { ...verbs('subscriptions'), off: switched('off'), on: switched('active') },
    events: verbs('events'),
    deliveries: verbs('deliveries'),
    operate,
  } as unknown as RecordAdmin;
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
  const [found, another] = await db
    .selectFrom('subscription')
    .select(['id', 'generation'])
    .$if(source !== undefined, (query) => query.where('source_number', '=', source ?? 0))
    .where(isSubscribed)
    .where(sql<boolean>`lower(name) = lower(${text})`)
    .limit(2)
    .execute();
  if (found && !another) return idOfRow(found);
  throw another
    ? new RelayError('conflict', `Several subscriptions are named "${text}". Use the ID of one.`)
    : new RelayError('not_found', `There is no subscription ${text}.`);
}
