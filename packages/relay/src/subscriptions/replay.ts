import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { DeliveryState } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';

export interface Replay {
  readonly source: number;
  readonly subscription?: number | undefined;
  readonly event?: string | undefined;
  /** Milliseconds since 1970: events that arrived at or after `from` and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly state?: DeliveryState | undefined;
}

interface Position {
  readonly event_id: string;
  readonly subscription_number: number;
}

/** Rows per statement: a full replay takes long and must not delay other deliveries. */
const defaultBatchSize = 5_000;

/**
 * Makes deliveries pending again with a fresh retry schedule, and returns how many. Skips those of
 * subscriptions that are off.
 */
export async function replay(
  context: RelayContext,
  what: Replay,
  batchSize = defaultBatchSize,
): Promise<number> {
  const newest = await newestEvent(context, what.source);
  let replayed = 0;
  let after: Position | undefined = {
    event_id: leastUuidAt(what.from ?? 0),
    subscription_number: 0,
  };
  while (newest !== undefined && after) {
    const position: Position = after;
    const batch = await retryDeadlock(() =>
      replayBatch(context, { ...what, newest }, position, batchSize),
    );
    replayed += batch.length;
    after = batch.length < batchSize ? undefined : batch.at(-1);
  }
  if (replayed > 0) context.wake();
  return replayed;
}

/** Events that arrive during the replay are delivered anyway. */
async function newestEvent({ db }: RelayContext, source: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('event')
    .select('id')
    .where('source_number', '=', source)
    .orderBy('source_number', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

async function replayBatch(
  { db, clock }: RelayContext,
  { source, subscription, event, to, state, newest }: Replay & { readonly newest: string },
  { event_id, subscription_number }: Position,
  batchSize: number,
): Promise<Position[]> {
  let found = db
    .selectFrom('delivery')
    .select(sql<string>`ctid`.as('place'))
    .where('source_number', '=', source)
    .where('event_id', '<=', newest)
    .where(
      sql<boolean>`(event_id, subscription_number) > (${event_id}::uuid, ${subscription_number}::integer)`,
    )
    .where('subscription_number', 'in', (query) =>
      query.selectFrom('subscription').select('number').where('state', '=', 'active'),
    )
    .orderBy('source_number')
    .orderBy('event_id')
    .orderBy('subscription_number')
    .limit(batchSize)
    .forNoKeyUpdate('delivery');
  if (event !== undefined) found = found.where('event_id', '=', event);
  if (to !== undefined) found = found.where('event_id', '<', leastUuidAt(to));
  if (subscription !== undefined) found = found.where('subscription_number', '=', subscription);
  if (state !== undefined) found = found.where('state', '=', state);
  // By ctid, since the planner would read the whole table for so many keys. As a separate
  // statement: one that also locks misses rows that a sender has just written.
  return db.transaction().execute(async (transaction) => {
    const places = (await transaction.executeQuery(found)).rows.map(({ place }) => place);
    const { rows } = await sql<Position>`
      UPDATE delivery SET state = 'pending', reason = NULL, attempts_since_replay = 0, next_at = ${new Date(clock.now())}
      WHERE ctid = ANY (${places}::tid[])
      RETURNING event_id, subscription_number`.execute(transaction);
    return rows.toSorted(byPosition);
  });
}

function byPosition(one: Position, other: Position): number {
  if (one.event_id === other.event_id) return one.subscription_number - other.subscription_number;
  return one.event_id < other.event_id ? -1 : 1;
}
