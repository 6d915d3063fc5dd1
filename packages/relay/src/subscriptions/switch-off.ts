import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

export type OffReason = 'gone' | 'failing' | 'token_revoked' | 'by_hand' | 'deleted';

/**
 * No further events for a subscription. What it has not received goes to the dead list with the
 * reason, from where it can be replayed once the subscription is on again.
 */
export async function switchOff(
  db: Kysely<Tables>,
  subscription: number,
  reason: OffReason,
): Promise<void> {
  await db
    .updateTable('subscription')
    .set({ state: 'off', off_reason: reason })
    .where('number', '=', subscription)
    .execute();
  await db
    .updateTable('delivery')
    .set({ state: 'dead', reason: `subscription_off: ${reason}`, next_at: null })
    .where('subscription_number', '=', subscription)
    .where('state', '=', 'pending')
    .execute();
}
