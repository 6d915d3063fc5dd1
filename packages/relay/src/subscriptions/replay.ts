import type { RelayContext } from '../context.ts';
import type { DeliveryState } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';

export interface Replay {
  readonly source: number;
  readonly subscription?: number | undefined;
  readonly event?: string | undefined;
  /** Milliseconds since 1970: events that arrived from here on, and before there. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly state?: DeliveryState | undefined;
}

/** Makes deliveries pending again, with the whole schedule before them; gives their number. */
export async function replay(
  { db, clock, wake }: RelayContext,
  { source, subscription, event, from, to, state }: Replay,
): Promise<number> {
  const now = new Date(clock.now());
  let update = db
    .updateTable('delivery')
    .set({ state: 'pending', reason: null, tries: 0, next_at: now })
    .where('source_number', '=', source)
    .where('subscription_number', 'in', (query) =>
      query.selectFrom('subscription').select('number').where('state', '=', 'active'),
    );
  if (subscription !== undefined) update = update.where('subscription_number', '=', subscription);
  if (event !== undefined) update = update.where('event_id', '=', event);
  if (from !== undefined) update = update.where('event_id', '>=', leastUuidAt(from));
  if (to !== undefined) update = update.where('event_id', '<', leastUuidAt(to));
  if (state !== undefined) update = update.where('state', '=', state);
  const { numUpdatedRows } = await update.executeTakeFirst();
  wake();
  return Number(numUpdatedRows);
}
