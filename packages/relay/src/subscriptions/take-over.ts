import { type Kysely, type Selectable, sql } from 'kysely';
import { uuidOf } from '../database/ids.ts';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { addReplay } from './replay.ts';

/**
 * n8n unsubscribes and subscribes again each time a workflow is published. After this time, a new
 * subscription that replaces one inherits nothing, unless it catches up.
 */
const graceMs = 10 * 60_000;

export type Limits = Pick<Selectable<SubscriptionTable>, 'max_concurrency' | 'max_per_minute'>;

/** A subscription that another one continues. */
export interface Predecessor extends Limits {
  readonly number: number;
  /** Where it stopped. */
  readonly position: string;
  readonly token: number;
  readonly hasSameTarget: boolean;
  readonly isEnded: boolean;
}

export interface OwnKey {
  readonly source: number;
  readonly token: number;
  readonly targetUrl: string;
}

interface Sought {
  /** What the subscription is found by, which is not its own predecessor. */
  readonly own: OwnKey & {
    /** Sorted. */
    readonly events: readonly string[];
  };
  /** ID of the one that is replaced. */
  readonly replaces: string | undefined;
  /** Whether it also continues those of other keys with its target. */
  readonly changesKey: boolean;
  /** Whether it also continues the last one of its token and target that ended, at whatever time. */
  readonly catchUp: boolean;
  readonly now: number;
}

export async function findPredecessors(
  db: Kysely<Tables>,
  { own, replaces, changesKey, catchUp, now }: Sought,
): Promise<readonly Predecessor[]> {
  const found = foundIn(db, own);
  const replaced =
    replaces === undefined
      ? []
      : await found
          .where('id', '=', uuidOf('sub', replaces) ?? null)
          .where(
            sql<boolean>`(deleted_at >= ${new Date(now - graceMs)} OR deleted_at IS NULL
              AND (token_number, target_url, events) <> (${own.token}, ${own.targetUrl}, ${own.events}::text[]))`,
          )
          .execute();
  const last = catchUp
    ? await found
        .where('token_number', '=', own.token)
        .where(sql`md5(target_url)`, '=', sql`md5(${own.targetUrl})`)
        .where('target_url', '=', own.targetUrl)
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at', 'desc')
        .limit(1)
        .execute()
    : [];
  const others = changesKey ? await subscriptionsAtTarget(db, own, now).execute() : [];
  const all = [...replaced, ...last, ...others];
  return [...new Map(all.map((one) => [one.number, one])).values()];
}

/** Those of other keys, also if they ended a moment ago. */
export function subscriptionsAtTarget(db: Kysely<Tables>, own: OwnKey, now: number) {
  const { token, targetUrl } = own;
  return foundIn(db, own)
    .where('token_number', '<>', token)
    .where(sql`md5(target_url)`, '=', sql`md5(${targetUrl})`)
    .where('target_url', '=', targetUrl)
    .where(sql<boolean>`coalesce(deleted_at >= ${new Date(now - graceMs)}, true)`);
}

function foundIn(db: Kysely<Tables>, { source, targetUrl }: OwnKey) {
  return db
    .selectFrom('subscription')
    .select(['number', 'position', 'token_number as token', 'max_concurrency', 'max_per_minute'])
    .select([
      sql<boolean>`target_url = ${targetUrl}`.as('hasSameTarget'),
      sql<boolean>`deleted_at IS NOT NULL`.as('isEnded'),
    ])
    .where('source_number', '=', source);
}

interface Taken extends Pick<Predecessor, 'number' | 'isEnded'> {
  /** Whether its replays move to the new one, or are copied. */
  readonly mayChange: boolean;
}

/**
 * Has the subscription's sender deliver what its predecessor still had to get: what was attempted
 * without success, and the replays that had not ended.
 */
export async function takeOver(
  db: Kysely<Tables>,
  subscription: number,
  { number, isEnded, mayChange }: Taken,
  newest: string,
): Promise<void> {
  await addReplay(db, {
    kind: 'take_over',
    subscription_number: subscription,
    of_number: number,
    states: ['pending', 'dead'],
    position: '0',
    until: newest,
  });
  const copied = ['kind', 'of_number', 'states', 'position', 'until'] as const;
  const left = db
    .selectFrom('replay')
    .select(copied)
    .select(sql<number>`${subscription}::integer`.as('subscription_number'))
    .where('subscription_number', '=', number)
    // One that stays carries out what a person asked it for.
    .$if(!isEnded, (query) => query.where('kind', 'in', ['missing', 'take_over']));
  await db
    .insertInto('replay')
    .columns([...copied, 'subscription_number'])
    .expression(left)
    .execute();
  if (!isEnded || !mayChange) return;
  await db.deleteFrom('replay').where('subscription_number', '=', number).execute();
}
