import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { oweFarewell } from './farewell.ts';

export type OffReason = 'gone' | 'failing' | 'token_revoked' | 'by_hand' | 'deleted';

/** After these no event can reach the subscription until somebody subscribes again. */
const endings: readonly OffReason[] = ['failing', 'token_revoked'];

/**
 * No further events for a subscription. What it has not received goes to the dead list with the
 * reason, from where it can be replayed once the subscription is on again. A subscription that is off
 * already keeps its reason. Deliveries that an ingest stores at this very moment, or whose attempt is
 * under way, are swept later: waiting for them could end in a deadlock with a sender.
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
  await sql`
    UPDATE delivery SET state = 'dead', reason = ${`subscription_off: ${reason}`}, next_at = NULL
    WHERE (source_number, event_id, subscription_number) IN (
      SELECT source_number, event_id, subscription_number FROM delivery
      WHERE subscription_number = ${subscription} AND state = 'pending'
      FOR UPDATE SKIP LOCKED
    )`.execute(db);
}
