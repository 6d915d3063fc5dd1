import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { cancelFarewell } from './farewell.ts';

/** Lets a subscription that is on now be delivered to at once, whatever happened before. */
export async function resume(db: Kysely<Tables>, subscription: number): Promise<void> {
  await cancelFarewell(db, subscription);
  await db
    .insertInto('lane')
    .values({ subscription_number: subscription })
    .onConflict((conflict) =>
      conflict
        .column('subscription_number')
        .doUpdateSet({ paused_until: null, failures_in_a_row: 0 }),
    )
    .execute();
}
