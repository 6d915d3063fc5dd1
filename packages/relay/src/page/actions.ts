import type { Notice } from '@screen-advertising/server-kit/pages';
import { runAsOperator } from '../api/handlers.ts';
import type { StartedDeliveries } from '../base/contract.ts';
import { readDeliveryId } from '../base/ids.ts';
import { RelayError } from '../base/relay-error.ts';
import type { NewToken } from '../base/secrets.ts';
import { type DeliveryState, reasonText } from '../base/stored-values.ts';
import type { RelayContext } from '../log/context.ts';
import { Sources } from '../operate/sources.ts';
import { Tokens } from '../operate/tokens.ts';

type Form = Readonly<Record<string, string>>;

export interface ConnectorKeyToShow {
  readonly key: NewToken;
  readonly source: string;
  readonly name: string;
}

/** The result of an action, for its notice. */
export interface ActionResult {
  /** How many deliveries or events. Default: 1. */
  readonly count?: number;
  readonly hasMore?: boolean;
  /** The variant of the action, such as `off`. */
  readonly what?: string;
}

interface Action {
  readonly run: (
    context: RelayContext,
    form: Form,
  ) => Promise<ActionResult | ConnectorKeyToShow> | Promise<void>;
  /** The notice that the page shows afterwards; none for ''. */
  readonly done: (done: Required<ActionResult>) => string;
}

const savedSecret: Readonly<Record<string, string>> = {
  unchanged: 'Nothing changed: the source has this signing secret already.',
  alone: 'Signing secret saved.',
  beside:
    'Signing secret saved. The previous one works for 7 more days, or longer, until a delivery is signed with the new one.',
};

const changed: Readonly<Record<string, string>> = {
  off: 'Subscription switched off. Once it is on again, it continues where it stopped.',
  active: 'Subscription switched on. It continues where it stopped.',
  limit: 'Limit saved.',
};

/** The actions behind the forms of the pages. Those of the API have the names that it gives them. */
export const pageActions = {
  'subscriptions.redeliver': {
    run: async (context, { subscription: id = '', delivery, states, missing, since: from }) => {
      const operation = 'subscriptions.redeliver';
      if (!missing && !states) return ofChosen(context, operation, delivery);
      const what = missing
        ? ({ missing: true } as const)
        : { states: states?.split(' ') as DeliveryState[] };
      return started(await runAsOperator(context, operation, { id, ...what, from }));
    },
    done: ({ count, hasMore }) => queued(count, hasMore, 'Nothing to redeliver.'),
  },
  'subscriptions.retry': {
    run: async (context, { subscription: id, delivery }) =>
      id && !delivery
        ? started(await runAsOperator(context, 'subscriptions.retry', { id }))
        : ofChosen(context, 'subscriptions.retry', delivery),
    done: ({ count, hasMore }) => queued(count, hasMore, 'No pending deliveries.'),
  },
  'events.redeliver': {
    run: async (context, { event: id = '', subscription }) =>
      started(await runAsOperator(context, 'events.redeliver', { id, subscription })),
    done: ({ count, hasMore }) => queued(count, hasMore, 'Nothing to redeliver.'),
  },
  'events.erase': {
    run: async (context, { search = '', source }) => {
      const { erased } = await runAsOperator(context, 'events.erase', { search, source });
      return { count: erased };
    },
    done: ({ count }) => (count === 1 ? 'Erased 1 event.' : `Erased ${count} events.`),
  },
  'subscriptions.change': {
    run: async (context, { subscription: id = '', state, max_concurrency: most }) => {
      const isSwitch = state === 'active' || state === 'off';
      await runAsOperator(context, 'subscriptions.change', {
        id,
        ...(isSwitch ? { state } : { max_concurrency: most ? Number(most) : undefined }),
      });
      return { what: isSwitch ? state : 'limit' };
    },
    done: ({ what }) => changed[what] ?? '',
  },
  'subscriptions.test': {
    run: async (context, { subscription: id = '' }) => {
      const test = await runAsOperator(context, 'subscriptions.test', { id });
      // Workflows do not run for samples, so one that was ignored has arrived as it should.
      if (test.delivered && (test.ignored ?? 'sample') === 'sample') return;
      if (test.ignored)
        throw new RelayError('conflict', `The test arrived. ${reasonText(test.ignored)}.`);
      const what =
        test.status === null ? 'The test did not arrive' : 'The subscriber refused the test';
      throw new RelayError('conflict', `${what}: ${test.error}.`);
    },
    done: () => 'The subscriber accepted the test.',
  },
  'add-source': {
    run: async (context, { name = '', secret }) => {
      await new Sources(context).add(name, secret);
    },
    done: () => 'Source added. Ask the Screen Advertising team to register its address.',
  },
  'rotate-source': {
    run: async (context, { name = '', secret = '' }) => {
      const { changed, previous_until } = await new Sources(context).rotate(name, secret);
      if (!changed) return { what: 'unchanged' };
      return { what: previous_until === null ? 'alone' : 'beside' };
    },
    done: ({ what }) => savedSecret[what] ?? '',
  },
  'remove-source': {
    run: (context, { name = '' }) => new Sources(context).remove(name),
    done: () => 'Source removed. Its address rejects every event from now on.',
  },
  'create-token': {
    run: async (context, { source = '', name = '', rights }) => {
      if (name === '')
        throw new RelayError('conflict', 'Give the token a name.', { member: 'name' });
      const key = await new Tokens(context).create(source, name, rights?.split(' '));
      return { key, source, name };
    },
    done: () => '',
  },
  'rotate-token': {
    run: async (context, { source = '', name = '', seen = '' }) => ({
      key: await new Tokens(context).rotate(source, name, { seen }),
      source,
      name,
    }),
    done: () => '',
  },
  'revoke-token': {
    run: (context, { source = '', name = '' }) => new Tokens(context).revoke(source, name),
    done: () => 'Token revoked, and its subscriptions switched off.',
  },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof pageActions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(pageActions, name);
}

export function actionOf(name: ActionName): Action {
  return pageActions[name];
}

/** The notice for the last action. From the URL it takes numbers, and names that it knows. */
export function noticeOf({ searchParams }: URL): Notice | undefined {
  const name = searchParams.get('done') ?? '';
  if (!isActionName(name)) return undefined;
  const text = actionOf(name).done({
    count: Number(searchParams.get('count')) || 0,
    hasMore: searchParams.has('more'),
    what: searchParams.get('what') ?? '',
  });
  return text === '' ? undefined : { kind: 'done', text };
}

/** They are sent at once, unless their subscription is off. */
function queued(count: number, hasMore: boolean, nothing: string): string {
  if (count === 0) return hasMore ? 'The relay looks for them in the background.' : nothing;
  if (hasMore) return `Queued ${count} deliveries. The relay looks for more in the background.`;
  return count === 1 ? 'Queued 1 delivery.' : `Queued ${count} deliveries.`;
}

function started({ deliveries: count, has_more: hasMore }: StartedDeliveries): ActionResult {
  return { count, hasMore };
}

/** The chosen deliveries may be of several subscriptions, and each of these gets one request. */
async function ofChosen(
  context: RelayContext,
  operation: 'subscriptions.redeliver' | 'subscriptions.retry',
  text: string | undefined,
): Promise<ActionResult> {
  if (!text) throw new RelayError('conflict', 'Choose deliveries first.');
  const bySubscription = Map.groupBy(text.split(' '), (id) => readDeliveryId(id)?.subscription);
  let count = 0;
  for (const deliveries of bySubscription.values()) {
    const [first = ''] = deliveries;
    const { subscription_id: id } = await runAsOperator(context, 'deliveries.get', { id: first });
    count += (await runAsOperator(context, operation, { id, deliveries })).deliveries;
  }
  return { count };
}
