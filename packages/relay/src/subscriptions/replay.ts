import type { RelayContext } from '../context.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { DeliveryState } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';
import { startJob } from './jobs.ts';
import { newestEvent } from './newest-event.ts';

export interface Replay {
  readonly source: number;
  readonly subscription?: number | undefined;
  readonly event?: string | undefined;
  /** Milliseconds since 1970: events that arrived at or after `from` and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly state?: DeliveryState | undefined;
}

/** As the API shows it. */
export interface Replayed {
  /** How many deliveries are pending again now. */
  readonly replayed: number;
  /** Whether the relay replays more of them in the background. */
  readonly has_more: boolean;
}

/**
 * Makes deliveries pending again with a fresh retry schedule: a batch now, and the rest in the
 * background. Skips those of subscriptions that are off.
 */
export async function replay(
  context: RelayContext,
  { source, subscription, event, from, to, state }: Replay,
  batchSize?: number,
): Promise<Replayed> {
  const { db, clock, wake, settle } = context;
  const newest = event ?? (await newestEvent(db, source));
  const end = to === undefined ? newest : leastUuidAt(to);
  if (newest === undefined || end === undefined) return { replayed: 0, has_more: false };
  const job = {
    kind: 'replay',
    source_number: source,
    subscription_number: subscription ?? null,
    replaced_number: null,
    state: state ?? null,
    after_event: event ?? leastUuidAt(from ?? 0),
    after_subscription: 0,
    until_event: end.localeCompare(newest) < 0 ? end : newest,
  } as const;
  const { count, hasMore } = await retryConflict(() =>
    db.transaction().execute((transaction) => startJob(transaction, job, clock.now(), batchSize)),
  );
  if (count > 0) wake();
  if (hasMore) settle();
  return { replayed: count, has_more: hasMore };
}
