import { sql } from 'kysely';
import type * as z from 'zod';
import { deliveryOperations, eventOperations } from '../api/event-operations.ts';
import type { ApiOperation } from '../api/operation.ts';
import { subscriptionOperations } from '../api/subscription-operations.ts';
import type { RelayContext } from '../context.ts';
import { subscriptionId as idOfRow, readSubscriptionId } from '../database/ids.ts';
import { isSubscribed } from '../database/reading-subscriptions.ts';
import { check } from '../records/input-schemas.ts';
import { RelayError } from '../relay-error.ts';
import { findSource } from './find-source.ts';

/** Name of the source. Default: all sources. */
type OfSource = { readonly source?: string | undefined };

type InputOf<Schema extends z.ZodObject> = keyof Schema['shape'] extends never
  ? unknown
  : z.input<Schema>;

/** The same as in the API. It can be left out if the operation needs none of it. */
type Input<Query extends z.ZodObject, Body extends z.ZodObject> =
  Partial<InputOf<Query> & InputOf<Body>> extends InputOf<Query> & InputOf<Body>
    ? [input?: OfSource & Readonly<InputOf<Query> & InputOf<Body>>]
    : [input: OfSource & Readonly<InputOf<Query> & InputOf<Body>>];

type Given = OfSource & Readonly<Record<string, unknown>>;

export type RecordAdmin = Readonly<ReturnType<typeof recordAdmin>>;

/** Operators have no token. */
const operator = { token: 0, name: '', source: 0, sourceName: '', rights: ['manage'] } as const;

/** Members of an input that hold the ID of a subscription. */
const ofSubscriptions = ['subscription', 'subscription_id', 'of'] as const;

/**
 * Operations of the API for operators, who reach every source, and may use the names of
 * subscriptions instead of IDs. Each rejects with a RelayError.
 */
export function recordAdmin(context: RelayContext) {
  async function run<Query extends z.ZodObject, Body extends z.ZodObject, Result extends object>(
    operation: ApiOperation<Query, Body, Result>,
    id: string,
    { source: name, ...given }: Given = {},
  ): Promise<Result> {
    const source = name === undefined ? undefined : await findSource(context, name);
    const idOf = (text: string) => subscriptionId(context, source, text);
    const input: Record<string, unknown> = { ...given };
    for (const name of ofSubscriptions) {
      const text = input[name];
      if (typeof text === 'string') input[name] = await idOf(text);
    }
    const read = <Schema extends z.ZodObject>(schema: Schema | undefined) =>
      (schema ? check(schema, input) : {}) as z.output<Schema>;
    return operation.handle({
      context,
      caller: operator,
      scope: { source },
      id: operation.id.startsWith('subscriptions.') && id !== '' ? await idOf(id) : id,
      query: read(operation.query),
      readBody: async () => read(operation.body),
      setStatus: () => undefined,
    });
  }
  const all =
    <Query extends z.ZodObject, Body extends z.ZodObject, Result extends object>(
      operation: ApiOperation<Query, Body, Result>,
    ) =>
    (...[input]: Input<Query, Body>) =>
      run(operation, '', input as Given);
  const one =
    <Query extends z.ZodObject, Body extends z.ZodObject, Result extends object>(
      operation: ApiOperation<Query, Body, Result>,
    ) =>
    (id: string, ...[input]: Input<Query, Body>) =>
      run(operation, id, input as Given);
  const change = one(subscriptionOperations['PATCH /subscriptions/{id}']);
  return {
    subscriptions: {
      /** Newest first. */
      list: all(subscriptionOperations['GET /subscriptions']),
      /** Its name, state and limits. */
      change,
      /** Stops its deliveries. It keeps its position. */
      off: (id: string, { source }: OfSource = {}) => change(id, { source, state: 'off' }),
      /** Continues where it stopped. Dead deliveries need `redeliver`. */
      on: (id: string, { source }: OfSource = {}) => change(id, { source, state: 'active' }),
      /** Sends it the newest event of its types, or a sample. */
      test: one(subscriptionOperations['POST /subscriptions/{id}/test']),
      /** Delivers again, or what it missed. */
      redeliver: one(subscriptionOperations['POST /subscriptions/{id}/redeliver']),
      /** Makes the next attempt of its pending deliveries now. */
      retry: one(subscriptionOperations['POST /subscriptions/{id}/retry']),
    },
    events: {
      /** Newest first. */
      list: all(eventOperations['GET /events']),
      get: one(eventOperations['GET /events/{id}']),
      /** What the relay keeps of every event with this ID or value. Resolves when it is gone. */
      erase: (search: string, { source }: OfSource = {}) =>
        run(eventOperations['DELETE /events'], '', { source, search }),
      /** To every subscription that had the event and is on, or to any one of its source. */
      redeliver: one(eventOperations['POST /events/{id}/redeliver']),
    },
    deliveries: {
      /** By event, newest first. */
      list: all(deliveryOperations['GET /deliveries']),
      /** One, with what its target responded to each attempt. */
      get: one(deliveryOperations['GET /deliveries/{id}']),
    },
  };
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
