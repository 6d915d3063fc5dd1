import { Sources } from '../admin/sources.ts';
import { Tokens } from '../admin/tokens.ts';
import type { RelayContext } from '../context.ts';
import { readDeliveryId } from '../database/delivery-id.ts';
import { uuidOf } from '../database/uuid.ts';
import { RelayError } from '../relay-error.ts';
import type { NewToken } from '../secrets/new-token.ts';
import { replay } from '../subscriptions/replay.ts';
import { switchByHand } from '../subscriptions/switch-by-hand.ts';
import { findSubscription } from './find-subscription.ts';

type Form = Readonly<Record<string, string>>;

/** A key that is shown once, and its owner. */
export interface ShownKey {
  readonly key: NewToken;
  readonly source: string;
  readonly name: string;
}

/** Returns the number of affected deliveries, or a key to show. */
export type Action = (context: RelayContext, form: Form) => Promise<number | ShownKey>;

/** The actions behind the forms of the pages. */
const actions = {
  'replay-delivery': async (context, { delivery = '' }) => {
    const { event, subscription } = readDeliveryId(delivery) ?? {};
    if (event === undefined) throw unknown('delivery', delivery);
    return replayed(await replayAnySource(context, { event, subscription }));
  },
  'replay-event': async (context, { event: id = '' }) => {
    const event = uuidOf('evt', id);
    if (event === undefined) throw unknown('event', id);
    return replayed(await replayAnySource(context, { event }));
  },
  'replay-subscription': async (context, { subscription: id = '', which }) => {
    const found = await findSubscription(context, id);
    if (!found) throw unknown('subscription', id);
    if (found.state === 'off') {
      throw new RelayError('conflict', 'The subscription is off. Switch it on, then replay.');
    }
    return replay(context, {
      source: found.source_number,
      subscription: found.number,
      ...(which !== 'all' && { state: 'dead' }),
    });
  },
  'switch-off': (context, form) => switchTo(context, form, 'off'),
  'switch-on': (context, form) => switchTo(context, form, 'active'),
  'add-source': async (context, { name = '', secret = '' }) => {
    await new Sources(context).add(name, secret);
    return 1;
  },
  'rotate-source': async (context, { name = '', secret = '' }) => {
    await new Sources(context).rotate(name, secret);
    return 1;
  },
  'create-token': async (context, { source = '', name = '' }) => {
    if (name === '') throw new RelayError('conflict', 'Give the token a name.');
    return { key: await new Tokens(context).create(source, name), source, name };
  },
  'rotate-token': async (context, { source = '', name = '', seen = '' }) => ({
    key: await new Tokens(context).rotate(source, name, seen),
    source,
    name,
  }),
  'revoke-token': async (context, { source = '', name = '' }) => {
    await new Tokens(context).revoke(source, name);
    return 1;
  },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof actions;

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}

export function actionOf(name: ActionName): Action {
  return actions[name];
}

async function switchTo(
  context: RelayContext,
  { subscription: id = '' }: Form,
  state: 'active' | 'off',
): Promise<number> {
  const found = await findSubscription(context, id);
  if (!found) throw unknown('subscription', id);
  await switchByHand(context, found.number, state);
  return 1;
}

/** Event IDs are unique across all sources. */
async function replayAnySource(
  context: RelayContext,
  what: { event: string; subscription?: number | undefined },
): Promise<number> {
  const sources = await context.db.selectFrom('source').select('number').execute();
  const numbers = await Promise.all(
    sources.map(({ number }) => replay(context, { source: number, ...what })),
  );
  return numbers.reduce((sum, number) => sum + number, 0);
}

function replayed(count: number): number {
  if (count > 0) return count;
  throw new RelayError(
    'not_found',
    'Nothing was replayed: the delivery does not exist, or its subscription is off. Switch the subscription on, then replay.',
  );
}

function unknown(kind: string, id: string): RelayError {
  return new RelayError('not_found', `There is no ${kind} "${id}".`);
}
