import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/subscription-tables.ts';
import type { Replayed } from '../records/response-schemas.ts';
import { replaySubscription } from './replay.ts';
import { countMissing, rangeOf, replayMissing } from './replay-missing.ts';
import { retrySubscription } from './retry-deliveries.ts';
import { switchByHand } from './switch-off.ts';

/**
 * Switches a subscription on, sends its pending and dead deliveries now, and delivers what it missed
 * of the events that arrived since a moment (milliseconds since 1970). By default that is every dead
 * delivery, and what it missed since it was created. Counts what waited for it, too. Throws a RelayError (`conflict`) if its token was revoked.
 */
export async function recover(
  context: RelayContext,
  subscription: Selectable<SubscriptionTable>,
  from?: number,
): Promise<Replayed> {
  const { db } = context;
  const { wanting, start, end } = await rangeOf(db, subscription, { since: from });
  const missing = await countMissing(db, wanting, start, end);
  await switchByHand(context, subscription.number, 'active');
  const dead = await replaySubscription(context, subscription, { state: 'dead', from });
  const pending = await retrySubscription(context, subscription);
  await replayMissing(context, subscription, { since: from });
  return {
    replayed: dead.replayed + pending.retried + missing.count,
    has_more: dead.has_more || pending.has_more || missing.hasMore,
  };
}
