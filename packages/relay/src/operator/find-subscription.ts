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

/** By hand; one whose token was revoked stays off, since its deliveries could not be verified any more. */
export async function switchSubscription(
  { db, wake }: RelayContext,
  { number, off_reason }: Subscription,
  state: 'active' | 'off',
): Promise<void> {
  if (state === 'active' && off_reason === 'token_revoked') {
    throw new RelayError(
      'conflict',
      'The token of this subscription is revoked, so it stays off. Connect again with another connector key.',
    );
  }
  await db.transaction().execute(async (transaction) => {
    if (state === 'off') return switchOff(transaction, number, 'by_hand');
    await transaction
      .updateTable('subscription')
      .set({ state: 'active', off_reason: null, failing_since: null })
      .where('number', '=', number)
      .execute();
    await transaction
      .updateTable('lane')
      .set({ paused_until: null, failures_in_a_row: 0 })
      .where('subscription_number', '=', number)
      .execute();
  });
  wake();
}
