import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Zapier pauses a Zap whose target gets a DELETE, so its owner learns that events have stopped. The
 * transaction that switches subscriptions off records the DELETEs, and the maintenance sends them.
 */
export async function queueEndNotices(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  now: number,
): Promise<void> {
  if (subscriptions.length === 0) return;
  const next_at = new Date(now);
  await db
    .insertInto('end_notice')
    .values(subscriptions.map((subscription_number) => ({ subscription_number, next_at })))
    .onConflict((conflict) => conflict.column('subscription_number').doNothing())
    .execute();
}

/** For a target that is subscribed again, or has unsubscribed. */
export async function cancelEndNotice(db: Kysely<Tables>, subscription: number): Promise<void> {
  await db.deleteFrom('end_notice').where('subscription_number', '=', subscription).execute();
}
