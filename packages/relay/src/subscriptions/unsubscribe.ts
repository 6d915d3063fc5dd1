import type { RelayContext } from '../context.ts';
import { uuidOf } from '../database/uuid.ts';
import { RelayError } from '../relay-error.ts';
import { cancelEndNotice } from './end-notice.ts';
import { switchOff } from './switch-off.ts';

/**
 * Deletes a subscription of the source, and accepts one that is already deleted. Throws a RelayError
 * for any other.
 */
export async function unsubscribe(
  { db, clock, settleDeadDeliveries }: RelayContext,
  source: number,
  id: string,
): Promise<void> {
  const uuid = uuidOf('sub', id);
  if (!uuid) throw unknown(id);
  const now = clock.now();
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('subscription')
      .set((columns) => ({
        deleted_at: columns.fn.coalesce('deleted_at', columns.val(new Date(now))),
      }))
      .where('id', '=', uuid)
      .where('source_number', '=', source)
      .returning('number')
      .executeTakeFirst();
    if (!row) throw unknown(id);
    await switchOff(transaction, row.number, 'deleted', now);
    await cancelEndNotice(transaction, row.number);
  });
  settleDeadDeliveries();
}

function unknown(id: string): RelayError {
  return new RelayError('not_found', `There is no subscription ${id}.`);
}
