import { type Kysely, type Selectable, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable, Tables } from '../database/tables.ts';
import { uuidAt } from '../database/uuid.ts';
import type { Started } from './jobs.ts';
import { probeReplaced, type ReplacedState } from './probe-replaced.ts';
import { addMissing } from './replay-missing.ts';
import { resume } from './resume.ts';
import { takeOver } from './take-over.ts';
import { deleteSubscription } from './unsubscribe.ts';

export interface Subscribing {
  readonly source: number;
  readonly token: number;
  readonly targetUrl: string;
  readonly events: readonly string[];
  readonly name?: string | undefined;
  /** Whether it also gets what it missed while it was off, or did not exist. */
  readonly catchUp?: boolean | undefined;
  /** ID of the subscription that this one replaces. An unknown ID is ignored. */
  readonly replaces?: string | undefined;
  /** Whether it ends when its rotated key expires before anyone has used the new one. */
  readonly endsWithKey?: boolean | undefined;
}

interface Subscribed {
  readonly row: Selectable<SubscriptionTable>;
  readonly isNew: boolean;
  readonly replaced: ReplacedState | undefined;
}

/**
 * Keeps one subscription per token, target and set of events, however many requests arrive at once.
 * Switches it on if it is off. `isNew` says whether it was created.
 */
export async function subscribe(
  context: RelayContext,
  {
    source,
    token,
    targetUrl,
    events,
    name,
    replaces,
    catchUp = false,
    endsWithKey = false,
  }: Subscribing,
): Promise<Subscribed> {
  const { db, clock, wake, settle } = context;
  const replaced =
    replaces === undefined ? undefined : await probeReplaced(context, source, replaces, targetUrl);
  const now = clock.now();
  const id = uuidAt(now);
  const staying = replaced && replaced.state !== 'ended' ? replaced.number : null;
  const subscribed = await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('subscription')
      .values({
        id,
        source_number: source,
        token_number: token,
        target_url: targetUrl,
        events: [...new Set(events)].sort(),
        name: name ?? null,
        replaces_number: staying,
        ends_with_key: endsWithKey,
        created_at: new Date(now),
      })
      .onConflict((conflict) =>
        conflict
          .expression(sql`token_number, md5(target_url), events`)
          .where('deleted_at', 'is', null)
          .doUpdateSet({
            state: 'active',
            off_reason: null,
            failing_since: null,
            ends_with_key: endsWithKey,
            ...(replaced && { replaces_number: staying }),
            ...(name !== undefined && { name }),
          }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await resume(transaction, row.number);
    // Another receiver still gets its own deliveries.
    const mustTakeOver = replaces !== undefined && replaced?.state !== 'separate';
    const isNew = row.id === id;
    const started = [
      ...(mustTakeOver ? [await takeOver(transaction, row, replaces, now)] : []),
      ...(catchUp ? [await addMissed(transaction, row, isNew, now)] : []),
    ];
    const hasEnded = replaced?.state === 'ended';
    if (hasEnded) await deleteSubscription(transaction, replaced.number, now);
    const mustSettle = hasEnded || started.some(({ hasMore }) => hasMore);
    return { row, isNew, replaced: replaced?.state, mustSettle };
  });
  if (replaces !== undefined || catchUp) wake();
  if (subscribed.mustSettle) settle();
  return subscribed;
}

/** A new subscription has missed what arrived since the last one of this token and target ended. */
async function addMissed(
  transaction: Kysely<Tables>,
  row: Selectable<SubscriptionTable>,
  isNew: boolean,
  now: number,
): Promise<Started> {
  if (!isNew) return addMissing(transaction, row, { since: row.created_at.getTime() }, now);
  const last = await transaction
    .selectFrom('subscription')
    .select('deleted_at')
    .where('token_number', '=', row.token_number)
    .where(sql`md5(target_url)`, '=', sql`md5(${row.target_url})`)
    .where('target_url', '=', row.target_url)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last?.deleted_at) return { count: 0, hasMore: false };
  return addMissing(transaction, row, { since: last.deleted_at.getTime() }, now);
}
