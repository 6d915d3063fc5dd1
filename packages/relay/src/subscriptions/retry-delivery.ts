import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';
import { resume } from './resume.ts';

/**
 * Makes the next attempt of a pending delivery now, also if its subscription pauses. Throws a
 * RelayError (`conflict`) for any other state.
 */
export async function retryDelivery(
  { db, clock, wake }: RelayContext,
  { source, event, subscription }: { source: number; event: string; subscription: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const pending = await transaction
      .updateTable('delivery')
      .set({ next_at: new Date(clock.now()) })
      .where('source_number', '=', source)
      .where('event_id', '=', event)
      .where('subscription_number', '=', subscription)
      .where('state', '=', 'pending')
      .returning('event_id')
      .executeTakeFirst();
    if (!pending) {
      throw new RelayError(
        'conflict',
        'The delivery is not pending. To deliver it again, replay it.',
      );
    }
    await resume(transaction, subscription);
  });
  wake();
}
