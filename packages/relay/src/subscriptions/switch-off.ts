import type { RelayProblemName } from '@screen-advertising/core/webhooks';
import { type Kysely, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { Tables } from '../database/tables.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { queueEndNotices } from './end-notice.ts';
import { startAgain } from './lease.ts';

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

const batchSize = 1_000;

/**
 * Switches off the subscriptions whose connector has no valid key. Those of revoked tokens, also the
 * ones that a request created while its token was revoked. And those that end with their key, once
 * a rotated key has expired before anyone used the new one: Zapier accepts deliveries before it
 * verifies them, so nothing else would tell the owner of the Zap.
 */
export async function switchOffKeyless(
  context: RelayContext,
  mustStop: () => boolean,
): Promise<void> {
  for (const reason of ['token_revoked', 'key_rotated'] as const) {
    for (let count = batchSize; count === batchSize && !mustStop(); ) {
      count = await switchOffBatch(context, reason);
    }
  }
}

/** Returns how many; fewer than 1,000 if none are left. */
export async function switchOffBatch(
  context: RelayContext,
  reason: 'token_revoked' | 'key_rotated',
): Promise<number> {
  const now = context.clock.now();
  return context.db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('subscription')
      .innerJoin('token', 'token.number', 'subscription.token_number')
      .select('subscription.number')
      .where('subscription.state', '=', 'active')
      .$if(reason === 'token_revoked', (query) => query.where('token.revoked_at', 'is not', null))
      .$if(reason === 'key_rotated', (query) =>
        query
          .where('subscription.ends_with_key', '=', true)
          .where('token.has_unused_key', '=', true)
          .where('token.previous_until', '<=', new Date(now)),
      )
      .limit(batchSize)
      .execute();
    const numbers = found.map(({ number }) => number);
    return switchOff(transaction, numbers, reason, now);
  });
}

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
