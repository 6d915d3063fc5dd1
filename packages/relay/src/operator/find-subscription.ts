import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';
import { RelayError } from '../relay-error.ts';
import { switchOff } from '../subscriptions/switch-off.ts';

type Subscription = Selectable<SubscriptionTable>;

/** Of any source; undefined for one that was deleted. */
export async function findSubscription(
  { db }: RelayContext,
  id: string,
): Promise<Subscription | undefined> {
  const uuid = uuidOf('sub', id);
  if (uuid === undefined) return undefined;
  return db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', uuid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** By hand. One whose token was revoked stays off: its deliveries could not be verified any more. */
export async function switchSubscription(
  { db, wake }: RelayContext,
  { number }: Subscription,
  state: 'active' | 'off',
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (state === 'off') return switchOff(transaction, number, 'by_hand');
    const { numUpdatedRows } = await transaction
      .updateTable('subscription')
      .set({ state, off_reason: null, failing_since: null })
      .where('number', '=', number)
      .where('token_number', 'in', (query) =>
        query.selectFrom('token').select('number').where('revoked_at', 'is', null),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new RelayError(
        'conflict',
        'The token of this subscription is revoked, so it stays off. Connect again with another connector key.',
      );
    }
    await transaction
      .updateTable('lane')
      .set({ paused_until: null, failures_in_a_row: 0 })
      .where('subscription_number', '=', number)
      .execute();
  });
  wake();
}
