import { conflictReasons } from '@screen-advertising/core/relay-contract';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { RelayError } from '../base/relay-error.ts';
import { retryOnConflict } from '../base/statements.ts';
import type { SubscriptionTable, Tables } from '../base/tables.ts';
import type { RelayContext } from '../log/context.ts';

/**
 * Runs a transaction, and has senders and maintenance look for what it leaves to them. Each takes its locks
 * in one order: the source against pruning, subscriptions, leases, jobs, events, deliveries by position.
 */
export async function changeInTransaction<Result>(
  { db, changed }: Pick<RelayContext, 'db' | 'changed'>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const result = await retryOnConflict(() => db.transaction().execute(work));
  changed();
  return result;
}

type Subscription = Selectable<SubscriptionTable>;

/**
 * Locks a subscription against other requests, so that two of them add no job twice. Throws a
 * RelayError (`conflict`) for one that no delivery reaches any more. Any other that is off gets its
 * jobs once it is on.
 */
export async function lockReachable(db: Kysely<Tables>, number: number): Promise<Subscription> {
  const { rows } = await sql<Subscription & { revoked_at: Date | null }>`
    SELECT subscription.*, token.revoked_at FROM subscription
    JOIN token ON token.number = subscription.token_number
    WHERE subscription.number = ${number} FOR NO KEY UPDATE OF subscription`.execute(db);
  const [found] = rows;
  if (!found) throw new RelayError('not_found', 'The subscription was deleted.');
  const { revoked_at, ...row } = found;
  if (row.off_reason === 'unsubscribed') throw new RelayError('conflict', conflictReasons.deleted);
  if (revoked_at !== null) throw new RelayError('conflict', conflictReasons.revoked);
  return row;
}

/** Ends the pause of subscriptions that failed, so that their next attempts start at once. */
export async function endFailurePause(db: Kysely<Tables>, subscriptions: readonly number[]) {
  await sql`UPDATE lease SET paused_until = NULL, failures_in_a_row = 0
    WHERE subscription_number = ANY (${subscriptions}::integer[])`.execute(db);
}

/**
 * For one that is subscribed, or switched on, again: what failed before does not count any more.
 * Senders take the leases of subscriptions, so without one nothing is delivered.
 */
export async function restartSubscription(
  db: Kysely<Tables>,
  { number, starts }: Pick<Subscription, 'number' | 'starts'>,
): Promise<void> {
  await sql`INSERT INTO lease (subscription_number, starts) VALUES (${number}, ${starts})
    ON CONFLICT (subscription_number) DO UPDATE SET starts = excluded.starts, paused_until = NULL,
      failures_in_a_row = 0, failing_since = NULL, failed_at = NULL`.execute(db);
}
