import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Zapier pauses a Zap whose target is deleted, so its owner learns that no events come. Part of the
 * transaction that switches the subscription off, and sent by the upkeep.
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

/** The target is subscribed again, or has unsubscribed by itself. */
export async function cancelFarewell(db: Kysely<Tables>, subscription: number): Promise<void> {
  await db.deleteFrom('farewell').where('subscription_number', '=', subscription).execute();
}
