import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { queueEndNotices } from './end-notice.ts';

export type OffReason =
  | 'gone'
  | 'failing'
  | 'token_revoked'
  | 'key_rotated'
  | 'by_hand'
  | 'deleted';

const off: RelayProblemName = 'relay.subscription_off';

/** For these reasons no event reaches the subscription until its owner subscribes again. */
const endings: readonly OffReason[] = ['failing', 'token_revoked', 'key_rotated'];

/**
 * Switches subscriptions off, and returns how many. No event is delivered to them from now on. Each
 * keeps its position, so it continues there once it is on again. One that is already off keeps its
 * reason.
 */
export async function switchOff(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  reason: OffReason,
  now: number,
): Promise<number> {
  if (subscriptions.length === 0) return 0;
  const switched = await db
    .updateTable('subscription')
    .set({ state: 'off', off_reason: reason })
    .where('number', 'in', subscriptions)
    .where('state', '=', 'active')
    // A new subscribe request during the last attempt resets the failures.
    .$if(reason === 'failing', (update) =>
      update.where('number', 'in', (query) =>
        query
          .selectFrom('lease')
          .select('subscription_number')
          .where('failing_since', 'is not', null),
      ),
    )
    .returning('number')
    .execute();
  const numbers = switched.map(({ number }) => number);
  if (endings.includes(reason)) await queueEndNotices(db, numbers, now);
  if (reason !== 'deleted') await noteSwitchedOff(db, numbers, now);
  return numbers.length;
}

/**
 * Has the maintenance report that these subscriptions are off, unless they get only problems of the
 * relay: otherwise its own failure would cause the next event for it.
 */
async function noteSwitchedOff(
  db: Kysely<Tables>,
  subscriptions: readonly number[],
  now: number,
): Promise<void> {
  await sql`
    INSERT INTO problem (subscription_number, type, count, at)
    SELECT number, ${off}, 1, ${new Date(now)} FROM subscription
    WHERE number = ANY(${subscriptions}::integer[]) AND EXISTS (
      SELECT FROM unnest(subscription.events) AS wanted WHERE wanted NOT LIKE 'relay.%'
    )
    ORDER BY number
    ON CONFLICT (subscription_number, type) DO UPDATE SET count = 1, at = excluded.at`.execute(db);
}
