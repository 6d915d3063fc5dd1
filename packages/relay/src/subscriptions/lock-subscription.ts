import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * Reads which events an active subscription gets, and locks it until the end of the transaction, so
 * that two processes never add the same delivery. Undefined if it is off or deleted.
 */
export async function lockSubscription(
  transaction: Kysely<Tables>,
  number: number | null,
): Promise<readonly string[] | undefined> {
  const row = await transaction
    .selectFrom('subscription')
    .select('events')
    .where('number', '=', number)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.events;
}
