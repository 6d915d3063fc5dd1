import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { cancelEndNotice } from './end-notice.ts';

/** Clears pauses and failures, so that deliveries to an active subscription start at once. */
export async function resume(db: Kysely<Tables>, subscription: number): Promise<void> {
  await cancelEndNotice(db, subscription);
  await db
    .insertInto('lease')
    .values({ subscription_number: subscription })
    .onConflict((conflict) =>
      conflict
        .column('subscription_number')
        .doUpdateSet({ paused_until: null, failures_in_a_row: 0 }),
    )
    .execute();
}
