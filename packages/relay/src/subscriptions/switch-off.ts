import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { queueEndNotice } from './end-notice.ts';

export type OffReason = 'gone' | 'failing' | 'token_revoked' | 'by_hand' | 'deleted';

/** For these reasons no event reaches the subscription until its owner subscribes again. */
const endings: readonly OffReason[] = ['failing', 'token_revoked'];

/**
 * Switches a subscription off. Undelivered events go to the dead list with the reason, and can be
 * replayed once the subscription is on again. A subscription that is already off keeps its reason.
 * Deliveries that are being ingested or attempted at this moment are swept later: waiting for them
 * could deadlock with a sender.
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
  // A new subscribe request during the last attempt resets the failures.
  if (reason === 'failing') update = update.where('failing_since', 'is not', null);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  if (endings.includes(reason)) await queueEndNotice(db, subscription, now);
  await sql`
    UPDATE delivery SET state = 'dead', reason = ${`subscription_off: ${reason}`}, next_at = NULL
    WHERE (source_number, event_id, subscription_number) IN (
      SELECT source_number, event_id, subscription_number FROM delivery
      WHERE subscription_number = ${subscription} AND state = 'pending'
      FOR UPDATE SKIP LOCKED
    )`.execute(db);
}
