import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { oweFarewell } from './farewell.ts';

export type OffReason = 'gone' | 'failing' | 'token_revoked' | 'by_hand' | 'deleted';

/** After these no event can reach the subscription until somebody subscribes again. */
const endings: readonly OffReason[] = ['failing', 'token_revoked'];

/**
 * No further events for a subscription. What it has not received goes to the dead list with the
 * reason, from where it can be replayed once the subscription is on again. A subscription that is off
 * already keeps its reason. Deliveries that an ingest stores at this very moment, or whose attempt is
 * under way, are swept later.
 */
export async function switchOff(
  db: Kysely<Tables>,
  subscription: number,
  reason: OffReason,
  now: number,
): Promise<void> {
  let update = db
    .updateTable('subscription')
    .set({ state: 'off', off_reason: reason })
    .where('number', '=', subscription)
    .where('state', '=', 'active');
  // Whoever subscribes again during the last attempt starts afresh.
  if (reason === 'failing') update = update.where('failing_since', 'is not', null);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  if (endings.includes(reason)) await oweFarewell(db, subscription, now);
  await db
    .updateTable('delivery')
    .set({ state: 'dead', reason: offDelivery(reason), next_at: null })
    .where('subscription_number', '=', subscription)
    .where('state', '=', 'pending')
    .execute();
}

/** Why a delivery of such a subscription is dead. */
function offDelivery(reason: OffReason): string {
  return `subscription_off: ${reason}`;
}
