import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { startAgain } from './lease.ts';
import { switchOff } from './switch-off.ts';

/**
 * Switches a subscription off or on for an operator. Off stops its deliveries at once; on continues
 * where it stopped.
 * Throws a RelayError (`conflict`) if its token was revoked: without its secret, no signature can
 * be verified.
 */
export async function switchByHand(
  context: RelayContext,
  subscription: number,
  state: 'active' | 'off',
): Promise<void> {
  const now = context.clock.now();
  await change(context, async (transaction) => {
    if (state === 'off') return switchOff(transaction, [subscription], 'by_hand', now);
    const on = await transaction
      .updateTable('subscription')
      .set({ state: 'active', off_reason: null, ends_with_key: false })
      .where('number', '=', subscription)
      .where('deleted_at', 'is', null)
      .where('token_number', 'in', (query) =>
        query.selectFrom('token').select('number').where('revoked_at', 'is', null),
      )
      .returning('number')
      .executeTakeFirst();
    if (on) return startAgain(transaction, subscription);
    throw new RelayError(
      'conflict',
      'The token of this subscription was revoked. Create another, and subscribe with it.',
    );
  });
}
