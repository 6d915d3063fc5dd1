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

/** Returns what a replay did (or how many secrets work), or a key to show, if any. */
export type Action = (
  context: RelayContext,
  form: Form,
) => Promise<Replayed | ShownKey> | Promise<void>;

/** The actions behind the forms of the pages. */
export const actions = {
  'replay-deliveries': async (context, { delivery = '' }) => {
    const all = [];
    for (const id of chosen(delivery)) all.push(await recordAdmin(context).deliveries.replay(id));
    return sum(all);
  },
  'switch-on-and-replay': async (context, { delivery = '' }) => {
    const { deliveries, subscriptions } = recordAdmin(context);
    await subscriptions.on((await deliveries.get(delivery)).subscription_id);
    return deliveries.replay(delivery);
  },
  'replay-event': async (context, { event = '' }) => {
    const result = await recordAdmin(context).events.replay(event);
    if (result.replayed > 0) return result;
    throw new RelayError(
      'not_found',
      'Nothing was replayed: each subscription that had a delivery is off. Switch one on, then replay.',
    );
  },
  'replay-event-to': async (context, { event = '', subscription = '', also = '' }) => {
    const { events, subscriptions } = recordAdmin(context);
    const one = await events.replay(event, { subscription_id: subscription });
    if (also !== 'missing') return one;
    const { received_at: since } = await events.get(event);
    return sum([one, asReplayed(await subscriptions.replayMissing(subscription, { since }))]);
  },
  'erase-events': async (context, { search = '', source }) => {
    const { erased } = await recordAdmin(context).events.erase(search, { source });
    return { replayed: erased, has_more: false };
  },
  'replay-missing': async (context, { subscription = '', hours = '' }) => {
    const since = new Date(context.clock.now() - (Number(hours) || 0) * 3_600_000).toISOString();
    return asReplayed(
      await recordAdmin(context).subscriptions.replayMissing(subscription, { since }),
    );
  },
  'retry-deliveries': async (context, { delivery = '' }) => {
    const [id, ...others] = chosen(delivery);
    const { deliveries } = recordAdmin(context);
    return asReplayed(
      others.length > 0
        ? await deliveries.retrySeveral({ ids: [id, ...others] })
        : await deliveries.retry(id),
    );
  },
  'retry-subscription': async (context, { subscription = '' }) =>
    asReplayed(await recordAdmin(context).subscriptions.retry(subscription)),
  'recover-subscription': (context, { subscription = '' }) =>
    recordAdmin(context).subscriptions.recover(subscription),
  'replay-subscription': (context, { subscription = '', which }) =>
    recordAdmin(context).subscriptions.replay(
      subscription,
      which === 'all' ? {} : { state: 'dead' },
    ),
  'limit-subscription': async (context, { subscription = '', ...given }) => {
    await recordAdmin(context).subscriptions.change(subscription, {
      max_concurrency: given.max_concurrency ? Number(given.max_concurrency) : undefined,
      max_per_minute: given.max_per_minute ? Number(given.max_per_minute) : null,
    });
  },
  'switch-off': async (context, { subscription = '' }) => {
    await recordAdmin(context).subscriptions.off(subscription);
  },
  'switch-on': async (context, { subscription = '' }) => {
    await recordAdmin(context).subscriptions.on(subscription);
  },
  'send-test': async (context, { subscription = '' }) => {
    const test = await recordAdmin(context).subscriptions.test(subscription);
    // Workflows do not run for samples, so one that was ignored has arrived as it should.
    if (test.delivered && (test.ignored ?? 'sample') === 'sample') return;
    if (test.ignored)
      throw new RelayError('conflict', `The test arrived. ${reasonText(test.ignored)}.`);
    const what =
      test.status === null ? 'The test did not arrive' : 'The subscriber refused the test';
    throw new RelayError('conflict', `${what}: ${test.error}.`);
  },
  'name-source': async (context, { name = '' }) => {
    await sourceAdmin(context).add(name);
  },
  'add-source': async (context, { name = '', secret = '' }) => {
    await sourceAdmin(context).add(name, secret);
  },
  'rotate-source': async (context, { name = '', secret = '' }) => {
    const { changed, previous_until } = await sourceAdmin(context).rotate(name, secret);
    const works = previous_until === null ? 1 : 2;
    return { replayed: changed ? works : 0, has_more: false };
  },
  'create-token': async (context, { source = '', name = '', rights }) => {
    if (name === '') throw new RelayError('conflict', 'Give the token a name.', { member: 'name' });
    const key = await tokenAdmin(context).create(source, name, rights?.split(' '));
    return { key, source, name };
  },
  'rotate-token': async (context, { source = '', name = '', seen = '' }) => ({
    key: await tokenAdmin(context).rotate(source, name, seen),
    source,
    name,
  }),
  'revoke-token': (context, { source = '', name = '' }) => tokenAdmin(context).revoke(source, name),
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Action {
  return actions[name];
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
