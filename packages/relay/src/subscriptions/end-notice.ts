import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Zapier pauses a Zap whose target gets a DELETE, so its owner learns that events have stopped. The
 * transaction that switches the subscription off records the DELETE, and the maintenance sends it.
 */
export async function queueEndNotice(
  db: Kysely<Tables>,
  subscription: number,
  now: number,
): Promise<void> {
  await db
    .insertInto('end_notice')
    .values({ subscription_number: subscription, next_at: new Date(now) })
    .onConflict((conflict) => conflict.column('subscription_number').doNothing())
    .execute();
}

/** For a target that is subscribed again, or has unsubscribed. */
export async function cancelEndNotice(db: Kysely<Tables>, subscription: number): Promise<void> {
  await db.deleteFrom('end_notice').where('subscription_number', '=', subscription).execute();
}
