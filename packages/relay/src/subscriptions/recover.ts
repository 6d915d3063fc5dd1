import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { type Replayed, replay } from './replay.ts';
import { replayMissing } from './replay-missing.ts';
import { switchByHand } from './switch-by-hand.ts';

/**
 * Switches a subscription on, replays its dead deliveries, and delivers what arrived while it was
 * off. Throws a RelayError (`conflict`) if its token was revoked.
 */
export async function recover(
  context: RelayContext,
  subscription: Selectable<SubscriptionTable>,
): Promise<Replayed> {
  const { number, source_number: source, created_at } = subscription;
  await switchByHand(context, number, 'active');
  const dead = await replay(context, { source, subscription: number, state: 'dead' });
  const since = created_at.getTime();
  const missed = await replayMissing(context, subscription, { since });
  return {
    replayed: dead.replayed + missed.deliveries,
    has_more: dead.has_more || missed.has_more,
  };
}
