import type { Kysely } from 'kysely';
import type { RelayContext } from '../context.ts';
import { uuidOf } from '../database/ids.ts';
import type { Tables } from '../database/tables.ts';
import { mustReach, type Scope } from '../records/rights.ts';
import { RelayError } from '../relay-error.ts';
import { change } from './change.ts';
import { cancelEndNotice } from './end-notice.ts';
import { switchOff } from './switch-off.ts';

/**
 * Deletes a subscription within the scope, and accepts one that is already deleted. Throws a
 * RelayError for any other.
 */
export async function unsubscribe(context: RelayContext, scope: Scope, id: string): Promise<void> {
  const row = await context.db
    .selectFrom('subscription')
    .select(['number', 'token_number'])
    .where('id', '=', uuidOf('sub', id) ?? null)
    .$if(scope.source !== undefined, (query) =>
      query.where('source_number', '=', scope.source ?? 0),
    )
    .executeTakeFirst();
  if (!row) throw new RelayError('not_found', `There is no subscription ${id}.`);
  mustReach(scope, row.token_number);
  await change(context, (transaction) =>
    deleteSubscription(transaction, row.number, context.clock.now()),
  );
}

/** Keeps the time of a subscription that is already deleted. */
export async function deleteSubscription(
  db: Kysely<Tables>,
  subscription: number,
  now: number,
): Promise<void> {
  await db
    .updateTable('subscription')
    .set((columns) => ({
      deleted_at: columns.fn.coalesce('deleted_at', columns.val(new Date(now))),
    }))
    .where('number', '=', subscription)
    .execute();
  await switchOff(db, [subscription], 'deleted', now);
  await cancelEndNotice(db, subscription);
}
