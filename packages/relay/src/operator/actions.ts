import type { Notice } from '@screen-advertising/server-kit';
import { recordAdmin } from '../admin/record-admin.ts';
import { sourceAdmin } from '../admin/sources.ts';
import { tokenAdmin } from '../admin/tokens.ts';
import type { RelayContext } from '../context.ts';
import { reasonText } from '../records/reason-text.ts';
import type { Missing, Replayed, Retried } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import type { NewToken } from '../secrets/new-token.ts';

type Form = Readonly<Record<string, string>>;

/** A key that is shown once, and its owner. */
export interface ShownKey {
  readonly key: NewToken;
  readonly source: string;
  readonly name: string;
}

interface Action {
  /** Returns what a replay did (or how many secrets work), or a key to show, if any. */
  readonly run: (context: RelayContext, form: Form) => Promise<Replayed | ShownKey> | Promise<void>;
  /** What the page says afterwards; `count` is what a replay counted, or 1. */
  readonly done: (count: number, hasMore: boolean) => string;
}

/** By how many secrets work now; 0 if nothing changed. */
const saved = [
  'Nothing changed: the source has this signing secret already.',
  'Signing secret saved.',
  'Signing secret saved. The previous one works for 7 more days, or longer, until a delivery is signed with the new one.',
] as const;

/** The actions behind the forms of the pages. */
export const actions = {
  'replay-deliveries': {
    run: async (context, { delivery = '' }) => {
      const all = [];
      for (const id of chosen(delivery)) all.push(await recordAdmin(context).deliveries.replay(id));
      return sum(all);
    },
    done: replaying,
  },
  'switch-on-and-replay': {
    run: async (context, { delivery = '' }) => {
      const { deliveries, subscriptions } = recordAdmin(context);
      await subscriptions.on((await deliveries.get(delivery)).subscription_id);
      return deliveries.replay(delivery);
    },
    done: (count) => `Subscription switched on. ${replaying(count, false)}`,
  },
  'replay-event': {
    run: async (context, { event = '' }) => {
      const result = await recordAdmin(context).events.replay(event);
      if (result.replayed > 0) return result;
      throw new RelayError(
        'not_found',
        'Nothing was replayed: each subscription that had a delivery is off. Switch one on, then replay.',
      );
    },
    done: replaying,
  },
  'replay-event-to': {
    run: async (context, { event = '', subscription = '', also = '' }) => {
      const { events, subscriptions } = recordAdmin(context);
      const one = await events.replay(event, { subscription_id: subscription });
      if (also !== 'missing') return one;
      const { received_at: since } = await events.get(event);
      return sum([one, asReplayed(await subscriptions.replayMissing(subscription, { since }))]);
    },
    done: delivering,
  },
  'erase-events': {
    run: async (context, { search = '', source }) => {
      const { erased } = await recordAdmin(context).events.erase(search, { source });
      return { replayed: erased, has_more: false };
    },
    done: (count) => (count === 1 ? 'Erased 1 event.' : `Erased ${count} events.`),
  },
  'replay-missing': {
    run: async (context, { subscription = '', hours = '' }) => {
      const since = new Date(context.clock.now() - (Number(hours) || 0) * 3_600_000).toISOString();
      return asReplayed(
        await recordAdmin(context).subscriptions.replayMissing(subscription, { since }),
      );
    },
    done: (count, hasMore) =>
      count === 0 && !hasMore ? 'Nothing is missing.' : delivering(count, hasMore),
  },
  'retry-deliveries': {
    run: async (context, { delivery = '' }) => {
      const [id, ...others] = chosen(delivery);
      const { deliveries } = recordAdmin(context);
      return asReplayed(
        others.length > 0
          ? await deliveries.retrySeveral({ ids: [id, ...others] })
          : await deliveries.retry(id),
      );
    },
    done: retries,
  },
  'retry-subscription': {
    run: async (context, { subscription = '' }) =>
      asReplayed(await recordAdmin(context).subscriptions.retry(subscription)),
    done: retries,
  },
  'recover-subscription': {
    run: (context, { subscription = '' }) =>
      recordAdmin(context).subscriptions.recover(subscription),
    done: (count, hasMore) => `Subscription switched on. ${replaying(count, hasMore)}`,
  },
  'replay-subscription': {
    run: (context, { subscription = '', which }) =>
      recordAdmin(context).subscriptions.replay(
        subscription,
        which === 'all' ? {} : { state: 'dead' },
      ),
    done: replaying,
  },
  'limit-subscription': {
    run: async (context, { subscription = '', ...given }) => {
      await recordAdmin(context).subscriptions.change(subscription, {
        max_concurrency: given.max_concurrency ? Number(given.max_concurrency) : undefined,
      });
    },
    done: () => 'Limit saved.',
  },
  'switch-off': {
    run: async (context, { subscription = '' }) => {
      await recordAdmin(context).subscriptions.off(subscription);
    },
    done: () => 'Subscription switched off. Once it is on again, it continues where it stopped.',
  },
  'switch-on': {
    run: async (context, { subscription = '' }) => {
      await recordAdmin(context).subscriptions.on(subscription);
    },
    done: () => 'Subscription switched on. It continues where it stopped.',
  },
  'send-test': {
    run: async (context, { subscription = '' }) => {
      const test = await recordAdmin(context).subscriptions.test(subscription);
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
      await sourceAdmin(context).add(name, secret);
    },
    done: () => 'Source added. Ask the Screen Advertising team to register its address.',
  },
  'rotate-source': {
    run: async (context, { name = '', secret = '' }) => {
      const { changed, previous_until } = await sourceAdmin(context).rotate(name, secret);
      const works = previous_until === null ? 1 : 2;
      return { replayed: changed ? works : 0, has_more: false };
    },
    done: (count) => saved[count] ?? saved[1],
  },
  'create-token': {
    run: async (context, { source = '', name = '', rights }) => {
      if (name === '')
        throw new RelayError('conflict', 'Give the token a name.', { member: 'name' });
      const key = await tokenAdmin(context).create(source, name, rights?.split(' '));
      return { key, source, name };
    },
    done: () => '',
  },
  'rotate-token': {
    run: async (context, { source = '', name = '', seen = '' }) => ({
      key: await tokenAdmin(context).rotate(source, name, { seen }),
      source,
      name,
    }),
    done: () => '',
  },
  'revoke-token': {
    run: (context, { source = '', name = '' }) => tokenAdmin(context).revoke(source, name),
    done: () => 'Token revoked, and its subscriptions switched off.',
  },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Action {
  return actions[name];
}

/** The notice for the last action. Only an action's name and a number are taken from the URL. */
export function noticeOf(url: URL): Notice | undefined {
  const done = url.searchParams.get('done') ?? '';
  if (!isActionName(done)) return undefined;
  const text = actionOf(done).done(
    Number(url.searchParams.get('count')) || 0,
    url.searchParams.has('more'),
  );
  return text === '' ? undefined : { kind: 'done', text };
}

function replaying(count: number, hasMore: boolean): string {
  if (count === 0 && hasMore) return 'The relay looks for them in the background.';
  if (count === 0) return 'Nothing to replay.';
  if (hasMore) return `Replaying ${count} deliveries, then the rest in the background.`;
  return count === 1 ? 'Replaying 1 delivery.' : `Replaying ${count} deliveries.`;
}

/** Where most had no delivery before. */
function delivering(count: number, hasMore: boolean): string {
  if (count === 0) return replaying(count, hasMore);
  if (hasMore) return `Delivering ${count} events, then the rest in the background.`;
  return count === 1 ? 'Delivering 1 event.' : `Delivering ${count} events.`;
}

function retries(count: number, hasMore: boolean): string {
  if (count === 0) return 'No pending deliveries.';
  if (hasMore) return `Retrying ${count} deliveries, then the rest in the background.`;
  return count === 1 ? 'The next attempt starts now.' : `Retrying ${count} deliveries now.`;
}

/** At least one ID of a delivery. */
function chosen(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text.split(' ');
  if (first === '') throw new RelayError('conflict', 'Choose deliveries first.');
  return [first, ...others];
}

function sum(all: readonly Replayed[]): Replayed {
  return {
    replayed: all.reduce((total, one) => total + one.replayed, 0),
    has_more: all.some((one) => one.has_more),
  };
}

function asReplayed({ has_more, ...counted }: Missing | Retried): Replayed {
  return { replayed: 'retried' in counted ? counted.retried : counted.deliveries, has_more };
}
