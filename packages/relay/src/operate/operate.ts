import { type RelayContract, relayContract } from '@screen-advertising/core/relay-contract';
import { sql } from 'kysely';
import type * as z from 'zod';
import { check, type OperationId, type OutputOf } from '../base/contract.ts';
import { subscriptionId as idOfRow, readSubscriptionId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import type { RelayContext } from '../log/context.ts';
import { isSubscribed } from '../log/wants.ts';
import { findSource } from '../subscribe/records.ts';
import { handlerOf } from './api/event-handlers.ts';

type Fields<Id extends OperationId> = keyof RelayContract[Id]['input']['shape'] extends never
  ? unknown
  : Readonly<z.input<RelayContract[Id]['input']>>;

type OfRecord<Id extends OperationId> = RelayContract[Id]['path'] extends `${string}{id}${string}`
  ? { readonly id: string }
  : unknown;

/** Its input, the ID in its path, and the name of a source. Default: all sources. */
type Asked<Id extends OperationId> = Fields<Id> &
  OfRecord<Id> & { readonly source?: string | undefined };

/** Can be left out if the operation needs none of it. */
export type OperateInput<Id extends OperationId> =
  Record<never, never> extends Asked<Id> ? [asked?: Asked<Id>] : [asked: Asked<Id>];

/** Operators have no token. */
const operator = { token: 0, name: '', source: 0, sourceName: '', rights: ['manage'] } as const;

/** Members of an input that hold the ID of a subscription. */
const ofSubscriptions = ['subscription', 'subscription_id', 'of'];

/**
 * Carries out an operation of the API for an operator, who reaches every source, and may use the
 * names of subscriptions instead of IDs. Rejects with a RelayError.
 */
export async function operate<Id extends OperationId>(
  context: RelayContext,
  operation: Id,
  ...[asked]: OperateInput<Id>
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
    input: check(relayContract[operation].input, input),
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
