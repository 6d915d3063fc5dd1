import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Zapier pauses a Zap whose target gets a DELETE, so its owner learns that events have stopped. The
 * transaction that switches the subscription off records the DELETE, and the upkeep sends it.
 */
export async function oweFarewell(
  db: Kysely<Tables>,
  subscription: number,
  now: number,
): Promise<void> {
  await db
    .insertInto('farewell')
    .values({ subscription_number: subscription, next_at: new Date(now) })
    .onConflict((conflict) => conflict.column('subscription_number').doNothing())
    .execute();
}

/** For a target that is subscribed again, or has unsubscribed. */
export async function cancelFarewell(db: Kysely<Tables>, subscription: number): Promise<void> {
  await db.deleteFrom('farewell').where('subscription_number', '=', subscription).execute();
}
