import type { Kysely, Selectable } from 'kysely';
import type { SubscriptionTable } from '../log/database/subscription-tables.ts';
import type { Tables } from '../log/database/tables.ts';

/** Ends the pause of subscriptions that failed, so that their next attempts start at once. */
export async function endPause(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
): Promise<void> {
  if (subscriptions.length === 0) return;
  await db
    .updateTable('lease')
    .set({ paused_until: null, failures_in_a_row: 0 })
    .where('subscription_number', 'in', subscriptions)
    .execute();
}

/**
 * For one that is subscribed, or switched on, again: what failed before does not count any more.
 * Senders take the leases of subscriptions, so without one nothing is delivered.
 */
export async function startAgain(
  db: Kysely<Tables>,
  { number, generation }: Pick<Selectable<SubscriptionTable>, 'number' | 'generation'>,
): Promise<void> {
  await db
    .insertInto('lease')
    .values({ subscription_number: number, generation })
    .onConflict((conflict) =>
      conflict.column('subscription_number').doUpdateSet({
        generation,
        paused_until: null,
        failures_in_a_row: 0,
        failing_since: null,
        failed_at: null,
      }),
    )
    .execute();
}
