import type { RelayContext } from '../context.ts';
import { switchOff } from './switch-off.ts';

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
