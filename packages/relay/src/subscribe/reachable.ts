import { conflicts } from '@screen-advertising/core/relay-contract';
import type { Kysely, Selectable } from 'kysely';
import type { SubscriptionTable } from '../log/database/subscription-tables.ts';
import type { Tables } from '../log/database/tables.ts';
import { RelayError } from '../relay-error.ts';

/**
 * Locks a subscription against other requests, so that two of them add no job twice. Throws a
 * RelayError (`conflict`) for one that no delivery reaches any more. Any other that is off gets its
 * jobs once it is on.
 */
export async function lockReachable(
  db: Kysely<Tables>,
  number: number,
): Promise<Selectable<SubscriptionTable>> {
  const { revoked_at, ...row } = await db
    .selectFrom('subscription')
    .innerJoin('token', 'token.number', 'subscription.token_number')
    .selectAll('subscription')
    .select('token.revoked_at')
    .where('subscription.number', '=', number)
    .forNoKeyUpdate('subscription')
    .executeTakeFirstOrThrow();
  if (row.off_reason === 'unsubscribed') throw new RelayError('conflict', conflicts.deleted);
  if (revoked_at !== null) throw new RelayError('conflict', conflicts.revoked);
  return row;
}
