import { sourceAdmin } from '../admin/sources.ts';
import { tokenAdmin } from '../admin/tokens.ts';
import type { RelayContext } from '../context.ts';
import { type DeliveryKey, readDeliveryId } from '../database/delivery-id.ts';
import { uuidOf } from '../database/uuid.ts';
import { eraseEvents } from '../erasure/erase-events.ts';
import { check } from '../records/check.ts';
import { findEvent } from '../records/find.ts';
import { changeSubscriptionBody, eraseQuery } from '../records/input-schemas.ts';
import { reasonText } from '../records/reason-text.ts';
import type { Missing, Replayed } from '../records/response-schemas.ts';
import { RelayError } from '../relay-error.ts';
import type { NewToken } from '../secrets/new-token.ts';
import { recover } from '../subscriptions/recover.ts';
import { deliverEvent, replayEvent, replaySubscription } from '../subscriptions/replay.ts';
import { replayMissing } from '../subscriptions/replay-missing.ts';
import { retryDeliveries, retrySubscription } from '../subscriptions/retry-deliveries.ts';
import { sendTest } from '../subscriptions/send-test.ts';
import { switchByHand } from '../subscriptions/switch-by-hand.ts';
import { findOfAnySource } from './find-subscription.ts';

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
    for (const { event, subscription } of deliveryKeys(delivery)) {
      all.push(await replayAnySource(context, event, subscription));
    }
    return replayed(sum(all));
  },
  'switch-on-and-replay': async (context, { delivery = '' }) => {
    const [{ event, subscription }] = deliveryKeys(delivery);
    await switchByHand(context, subscription, 'active');
    return replayed(await replayAnySource(context, event, subscription));
  },
  'replay-event': async (context, { event: id = '' }) => {
    const event = uuidOf('evt', id);
    if (event === undefined) throw unknown('event', id);
    return replayed(await replayAnySource(context, event));
  },
  'replay-event-to': async (context, { event: id = '', subscription: to = '', also = '' }) => {
    const found = await activeSubscription(context, to);
    const event = await findEvent(context, found.source_number, id);
    const one = await deliverEvent(context, event, found.number);
    if (also !== 'missing') return one;
    const since = event.received_at.getTime();
    return sum([one, asReplayed(await replayMissing(context, found, { since }))]);
  },
  'erase-events': async (context, { search = '', source = '' }) => {
    const sources = await context.db
      .selectFrom('source')
      .select('number')
      .$if(source !== '', (query) => query.where('name', '=', source))
      .execute();
    const { search: text } = check(eraseQuery, { search });
    const all = [];
    for (const { number } of sources) {
      const { erased } = await eraseEvents(context, number, text);
      all.push({ replayed: erased, has_more: false });
    }
    return sum(all);
  },
  'replay-missing': async (context, { subscription: id = '', hours = '' }) => {
    const found = await activeSubscription(context, id);
    const since = context.clock.now() - Number(hours) * 3_600_000;
    if (!Number.isFinite(since)) throw new RelayError('conflict', 'Choose since when.');
    return asReplayed(await replayMissing(context, found, { since }));
  },
  'retry-deliveries': async (context, { delivery = '' }) => {
    const { retried } = await retryDeliveries(context, undefined, deliveryKeys(delivery));
    if (retried > 0) return { replayed: retried, has_more: false };
    throw new RelayError(
      'conflict',
      'Nothing was retried: no chosen delivery is pending. To deliver one again, replay it.',
    );
  },
  'retry-subscription': async (context, { subscription: id = '' }) => {
    const { retried, has_more } = await retrySubscription(
      context,
      await activeSubscription(context, id),
    );
    return { replayed: retried, has_more };
  },
  'recover-subscription': async (context, { subscription: id = '' }) =>
    recover(context, await subscriptionOf(context, id)),
  'replay-subscription': async (context, { subscription: id = '', which }) => {
    const found = await activeSubscription(context, id);
    return replaySubscription(context, found, which === 'all' ? {} : { state: 'dead' });
  },
  'limit-subscription': async (context, { subscription: id = '', ...given }) => {
    const found = await subscriptionOf(context, id);
    const limits = check(changeSubscriptionBody, {
      max_concurrency: given.max_concurrency ? Number(given.max_concurrency) : undefined,
      max_per_minute: given.max_per_minute ? Number(given.max_per_minute) : null,
    });
    const { db } = context;
    await db.updateTable('subscription').set(limits).where('number', '=', found.number).execute();
  },
  'switch-off': (context, form) => switchTo(context, form, 'off'),
  'switch-on': (context, form) => switchTo(context, form, 'active'),
  'send-test': async (context, { subscription: id = '' }) => {
    const test = await sendTest(context, await activeSubscription(context, id));
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

async function subscriptionOf(context: RelayContext, id: string) {
  const found = await findOfAnySource(context, id);
  if (found) return found;
  throw unknown('subscription', id);
}

async function activeSubscription(context: RelayContext, id: string) {
  const found = await subscriptionOf(context, id);
  if (found.state === 'active') return found;
  throw new RelayError('conflict', 'The subscription is off. Switch it on, then replay.');
}

async function switchTo(
  context: RelayContext,
  { subscription: id = '' }: Form,
  state: 'active' | 'off',
): Promise<void> {
  const { number } = await subscriptionOf(context, id);
  await switchByHand(context, number, state);
}

/** At least one. */
function deliveryKeys(text: string): readonly [DeliveryKey, ...DeliveryKey[]] {
  const keys = text.split(' ').map((id) => {
    const key = readDeliveryId(id);
    if (!key) throw id === '' ? nothingChosen : unknown('delivery', id);
    return key;
  });
  return keys as [DeliveryKey, ...DeliveryKey[]];
}

const nothingChosen = new RelayError('conflict', 'Choose deliveries first.');

/** Of whichever source: nothing for an unknown event. */
async function replayAnySource(
  { db, ...context }: RelayContext,
  id: string,
  subscription?: number,
): Promise<Replayed> {
  const event = await db
    .selectFrom('event')
    .select(['source_number', 'position'])
    .where('id', '=', id)
    .executeTakeFirst();
  return event
    ? replayEvent({ db, ...context }, event, { subscription })
    : { replayed: 0, has_more: false };
}

function sum(all: readonly Replayed[]): Replayed {
  return {
    replayed: all.reduce((total, one) => total + one.replayed, 0),
    has_more: all.some((one) => one.has_more),
  };
}

function asReplayed({ deliveries, has_more }: Missing): Replayed {
  return { replayed: deliveries, has_more };
}

function replayed(result: Replayed): Replayed {
  if (result.replayed > 0) return result;
  throw new RelayError(
    'not_found',
    'Nothing was replayed: the delivery does not exist, or its subscription is off. Switch the subscription on, then replay.',
  );
}

function unknown(kind: string, id: string): RelayError {
  return new RelayError('not_found', `There is no ${kind} "${id}".`);
}
