import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';
import { addReplay } from './add-replay.ts';

/**
 * n8n unsubscribes and subscribes again each time a workflow is published. After this time, a new
 * subscription that replaces one inherits nothing, unless it catches up.
 */
const graceMs = 10 * 60_000;

/** A subscription that another one continues. */
export interface Predecessor {
  readonly number: number;
  /** Where it stopped. */
  readonly position: string;
  readonly isEnded: boolean;
}

interface Sought {
  readonly source: number;
  /** ID of the one that is replaced. */
  readonly replaces: string | undefined;
  /** The token and target of one that ended, at whatever time. */
  readonly ended: { readonly token: number; readonly targetUrl: string } | undefined;
  readonly now: number;
}

export async function findPredecessors(
  db: Kysely<Tables>,
  { source, replaces, ended, now }: Sought,
): Promise<readonly Predecessor[]> {
  const found = db
    .selectFrom('subscription')
    .select(['number', 'position', sql<boolean>`deleted_at IS NOT NULL`.as('isEnded')])
    .where('source_number', '=', source);
  const replaced =
    replaces === undefined
      ? []
      : await found
          .where('id', '=', uuidOf('sub', replaces) ?? null)
          .where(({ eb, or }) =>
            or([eb('deleted_at', 'is', null), eb('deleted_at', '>=', new Date(now - graceMs))]),
          )
          .execute();
  const last =
    ended === undefined
      ? []
      : await found
          .where('token_number', '=', ended.token)
          .where(sql`md5(target_url)`, '=', sql`md5(${ended.targetUrl})`)
          .where('target_url', '=', ended.targetUrl)
          .where('deleted_at', 'is not', null)
          .orderBy('deleted_at', 'desc')
          .limit(1)
          .execute();
  return [...replaced, ...last.filter(({ number }) => number !== replaced[0]?.number)];
}

/**
 * Has the subscription's sender deliver what its predecessor still had to get: what was attempted
 * without success, and the replays that had not ended.
 */
export async function takeOver(
  db: Kysely<Tables>,
  subscription: number,
  { number, isEnded }: Predecessor,
  newest: string,
): Promise<void> {
  if (number === subscription) return;
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
  if (isEnded) await db.deleteFrom('replay').where('subscription_number', '=', number).execute();
}
