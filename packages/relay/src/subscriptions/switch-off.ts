import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { queueEndNotices } from './end-notice.ts';
import { noteSwitchedOff } from './problem.ts';

export type OffReason =
  | 'gone'
  | 'failing'
  | 'token_revoked'
  | 'key_rotated'
  | 'by_hand'
  | 'deleted';

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
  const off = await db
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
  const numbers = off.map(({ number }) => number);
  if (endings.includes(reason)) await queueEndNotices(db, numbers, now);
  if (reason !== 'deleted') await noteSwitchedOff(db, numbers, now);
  return numbers.length;
}
