import type * as z from 'zod';
import { deliveryOperations, eventOperations } from '../api/event-operations.ts';
import type { ApiOperation } from '../api/operation.ts';
import { subscriptionOperations } from '../api/subscription-operations.ts';
import type { RelayContext } from '../context.ts';
import { check } from '../records/check.ts';
import type {
  changeSubscriptionBody,
  deliveryQuery,
  eventQuery,
  recoverBody,
  replayMissingBody,
  replaySubscriptionBody,
  subscriptionQuery,
} from '../records/input-schemas.ts';
import { findSource } from './find-source.ts';
import { subscriptionId } from './subscription-id.ts';

/** Name of the source. It may be left out if there is only one. */
type OfSource = { readonly source?: string | undefined };

/** The same as in the API. */
type Input<Schema extends z.ZodObject> = OfSource & Readonly<z.input<Schema>>;

type Given = OfSource &
  Readonly<Record<string, unknown>> & {
    readonly id?: string;
    readonly subscription_id?: string | undefined;
  };

export type RecordAdmin = Readonly<ReturnType<typeof recordAdmin>>;

/**
 * Operations of the API for operators, who have no token: they name a source, and may use the names
 * of subscriptions instead of IDs. Each rejects with a RelayError.
 */
export function recordAdmin(context: RelayContext) {
  async function run<Query extends z.ZodObject, Body extends z.ZodObject, Result extends object>(
    operation: ApiOperation<Query, Body, Result>,
    { source: sourceName, id = '', ...given }: Given,
  ): Promise<Result> {
    const source = await findSource(context, sourceName);
    const idOf = (text: string) => subscriptionId(context, source, text);
    const { subscription_id: to } = given;
    const input = to === undefined ? given : { ...given, subscription_id: await idOf(to) };
    const read = <Schema extends z.ZodObject>(schema: Schema | undefined) =>
      (schema ? check(schema, input) : {}) as z.output<Schema>;
    return operation.handle({
      context,
      caller: {
        token: 0,
        name: '',
        source,
        sourceName: '',
        rights: ['manage'],
        switchOn: '`subscriptions on ID`',
      },
      scope: { source },
      id: operation.id.startsWith('subscriptions.') && id !== '' ? await idOf(id) : id,
      query: read(operation.query),
      readBody: async () => read(operation.body),
      setStatus: () => undefined,
    });
  }
  const { 'PATCH /subscriptions/{id}': change } = subscriptionOperations;
  return {
    subscriptions: {
      /** Newest first. */
      list: (query: Input<typeof subscriptionQuery> = {}) =>
        run(subscriptionOperations['GET /subscriptions'], query),
      /** Stops its deliveries. It keeps its position. */
      off: (id: string, { source }: OfSource = {}) => run(change, { source, id, state: 'off' }),
      /** Continues where it stopped. Dead deliveries need a replay. */
      on: (id: string, { source }: OfSource = {}) => run(change, { source, id, state: 'active' }),
      /** How many deliveries it gets at once, and attempts in any minute. */
      limit: (id: string, limits: Omit<Input<typeof changeSubscriptionBody>, 'state' | 'name'>) =>
        run(change, { ...limits, id }),
      /** Delivers every stored event that it wants and has no delivery of. */
      replayMissing: (id: string, period: Input<typeof replayMissingBody>) =>
        run(subscriptionOperations['POST /subscriptions/{id}/replay-missing'], { ...period, id }),
      /** Switches it on, and sends what is pending, dead or missed now. */
      recover: (id: string, from: Input<typeof recoverBody> = {}) =>
        run(subscriptionOperations['POST /subscriptions/{id}/recover'], { ...from, id }),
    },
    events: {
      /** Newest first. */
      list: (query: Input<typeof eventQuery> = {}) => run(eventOperations['GET /events'], query),
      /** What the relay keeps of every event with this ID or value. Resolves when it is gone. */
      erase: (search: string, { source }: OfSource = {}) =>
        run(eventOperations['DELETE /events'], { source, search }),
      /** To every subscription that the event was for, or to any one of its source. */
      replay: (id: string, to: OfSource & { readonly subscription_id?: string | undefined } = {}) =>
        run(eventOperations['POST /events/{id}/replay'], { ...to, id }),
    },
    deliveries: {
      /** By event, newest first. */
      list: (query: Input<typeof deliveryQuery> = {}) =>
        run(deliveryOperations['GET /deliveries'], query),
      /** One, with what its target responded to each attempt. */
      get: (id: string, { source }: OfSource = {}) =>
        run(deliveryOperations['GET /deliveries/{id}'], { source, id }),
      /** One delivery by its ID, or those of a subscription. */
      replay: (
        which:
          | (OfSource & { readonly id: string })
          | (Input<typeof replaySubscriptionBody> & { readonly subscription_id: string }),
      ) => {
        if ('id' in which) return run(deliveryOperations['POST /deliveries/{id}/replay'], which);
        const { subscription_id: id, ...range } = which;
        return run(subscriptionOperations['POST /subscriptions/{id}/replay'], { ...range, id });
      },
      /** Makes the next attempt of a pending delivery, several, or all of a subscription now. */
      retry: (
        which: OfSource &
          ({ readonly ids: readonly string[] } | { readonly subscription_id: string }),
      ) => {
        const { source } = which;
        if ('subscription_id' in which) {
          const { subscription_id: id } = which;
          return run(subscriptionOperations['POST /subscriptions/{id}/retry'], { source, id });
        }
        const [id, ...others] = which.ids;
        return id === undefined || others.length > 0
          ? run(deliveryOperations['POST /deliveries/retry'], which)
          : run(deliveryOperations['POST /deliveries/{id}/retry'], { source, id });
      },
    },
  };
}
