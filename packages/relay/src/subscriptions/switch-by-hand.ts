import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';
import { resume } from './resume.ts';
import { switchOff } from './switch-off.ts';

/**
 * Switches a subscription off or on for an operator. Off stops its deliveries at once; the
 * maintenance moves the pending ones to the dead list. On delivers what is still pending and what
 * arrives from now on; dead deliveries need a replay.
 * Throws a RelayError (`conflict`) if its token was revoked: without its secret, no signature can
 * be verified.
 */
export async function switchByHand(
  { db, clock, settle, wake }: RelayContext,
  subscription: number,
  state: 'active' | 'off',
): Promise<void> {
  if (state === 'off') {
    await db
      .transaction()
      .execute((transaction) => switchOff(transaction, [subscription], 'by_hand', clock.now()));
    return settle();
  }
  const isOn = await db.transaction().execute(async (transaction) => {
    const on = await transaction
      .updateTable('subscription')
      .set({ state: 'active', off_reason: null, failing_since: null, ends_with_key: false })
      .where('number', '=', subscription)
      .where('deleted_at', 'is', null)
      .where('token_number', 'in', (query) =>
        query.selectFrom('token').select('number').where('revoked_at', 'is', null),
      )
      .returning('number')
      .executeTakeFirst();
    if (on) await resume(transaction, subscription);
    return on !== undefined;
  });
  if (isOn) return wake();
  throw new RelayError(
    'conflict',
    'The token of this subscription was revoked. Create another, and subscribe with it.',
  );
}
