import type { Selectable } from 'kysely';
import type { RelayContext } from '../context.ts';
import type { SubscriptionTable } from '../database/tables.ts';
import { uuidOf } from '../database/uuid.ts';

type Subscription = Selectable<SubscriptionTable>;

/** Of any source; undefined for one that was deleted. */
export async function findSubscription(
  { db }: RelayContext,
  id: string,
): Promise<Subscription | undefined> {
  const uuid = uuidOf('sub', id);
  if (uuid === undefined) return undefined;
  return db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', uuid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
