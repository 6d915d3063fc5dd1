import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { uuidAt } from '../database/ids.ts';
import { endOfLog, lowerPosition } from '../database/log-position.ts';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { change } from './change.ts';
import { addLease, startAgain } from './lease.ts';
import { holdsKey, probeReplaced, type ReplacedState } from './probe-replaced.ts';
import { addMissing } from './replay-missing.ts';
import { findPredecessors, type Limits, takeOver } from './take-over.ts';
import { deleteSubscription } from './unsubscribe.ts';

export interface Subscribing {
  readonly source: number;
  readonly token: number;
  /** Whether it may end the subscriptions of other tokens. */
  readonly mayChangeOthers?: boolean;
  readonly targetUrl: string;
  readonly events: readonly string[];
  readonly name?: string | undefined;
  /** Whether it also gets what it missed while it was off, or did not exist. */
  readonly catchUp?: boolean | undefined;
  /** ID of the subscription that this one replaces. An unknown ID is ignored. */
  readonly replaces?: string | undefined;
  /** Whether it ends when its rotated key expires before anyone has used the new one. */
  readonly endsWithKey?: boolean | undefined;
  /** Those that are left out stay, or are the ones of the subscription that this one continues. */
  readonly limits?: Optional<Limits>;
}

type Optional<Record> = { readonly [Name in keyof Record]?: Record[Name] | undefined };

interface Subscribed {
  readonly row: Selectable<SubscriptionTable>;
  readonly isNew: boolean;
  readonly replaced: ReplacedState | undefined;
}

/**
 * Keeps one subscription per token, target and set of events, however many requests arrive at once.
 * Switches it on if it is off. `isNew` says whether it was created.
 */
export async function subscribe(context: RelayContext, wanted: Subscribing): Promise<Subscribed> {
  const { source, token, targetUrl, replaces, catchUp = false, mayChangeOthers = false } = wanted;
  const sorted = [...new Set(wanted.events)].sort();
  const [replaced, changesKey] = await Promise.all([
    replaces === undefined ? undefined : probeReplaced(context, source, replaces, targetUrl),
    holdsKey(context, wanted),
  ]);
  const now = context.clock.now();
  return change(context, async (transaction) => {
    const predecessors = await findPredecessors(transaction, {
      own: { source, token, targetUrl, events: sorted },
      // Another receiver still gets its own deliveries.
      replaces: replaced?.state === 'separate' ? undefined : replaces,
      changesKey,
      catchUp,
      now,
    });
    const newest = await endOfLog(transaction, source);
    const start = predecessors.map(({ position }) => position).reduce(lowerPosition, newest);
    const staying = replaced && (replaced.state === 'ended' ? null : replaced.number);
    const { row, isNew } = await upsert(
      transaction,
      { ...wanted, events: sorted },
      { now, start, staying, inherited: predecessors[0] },
    );
    await addLease(transaction, row.number);
    await startAgain(transaction, row.number);
    for (const one of predecessors) {
      const isOfOther = one.token !== token;
      const ends =
        (replaced?.state === 'ended' && replaced.number === one.number) ||
        (changesKey && isOfOther && one.hasSameTarget);
      const mayChange = ends || mayChangeOthers || !isOfOther;
      const predecessor = { ...one, isEnded: one.isEnded || ends, mayChange };
      await takeOver(transaction, row.number, predecessor, newest);
      if (ends) await deleteSubscription(transaction, one.number, now);
    }
    if (catchUp && !isNew) await addMissing(transaction, row.number, row.began, row.position);
    return { row, isNew, replaced: replaced?.state };
  });
}

interface Start {
  readonly now: number;
  /** Where what it continues has stopped, or the newest position. */
  readonly start: string;
  /** The subscription that it was to replace, if it has another target; null if that one ends. */
  readonly staying: number | null | undefined;
  readonly inherited: Limits | undefined;
}

async function upsert(
  db: Kysely<Tables>,
  { source, token, targetUrl, events, name, catchUp, endsWithKey = false, limits }: Subscribing,
  { now, start, staying, inherited }: Start,
) {
  const id = uuidAt(now);
  const row = await db
    .insertInto('subscription')
    .values({
      id,
      source_number: source,
      token_number: token,
      target_url: targetUrl,
      events: [...events],
      name: name ?? null,
      replaces_number: staying ?? null,
      ends_with_key: endsWithKey,
      max_concurrency: inherited?.max_concurrency,
      max_per_minute: inherited?.max_per_minute,
      ...limits,
      began: start,
      position: start,
      created_at: new Date(now),
    })
    .onConflict((conflict) =>
      conflict
        .expression(sql`token_number, md5(target_url), events`)
        .where('deleted_at', 'is', null)
        .doUpdateSet({
          state: 'active',
          off_reason: null,
          ends_with_key: endsWithKey,
          position: sql`CASE WHEN subscription.state = 'off' AND NOT ${catchUp === true} THEN ${start}::bigint
            ELSE least(subscription.position, ${start}::bigint) END`,
          ...(staying !== undefined && { replaces_number: staying }),
          ...(name !== undefined && { name }),
          ...limits,
        }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, isNew: row.id === id };
}
