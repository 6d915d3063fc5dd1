import { sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { listPartitions } from '../database/partitions.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import { leastUuidAt } from '../database/uuid.ts';
import { dropPartition } from './drop-partition.ts';

/** How many of each were deleted. */
export interface Pruned {
  readonly events: number;
  readonly subscriptions: number;
}

export interface PruneOptions {
  /** Milliseconds since 1970: deletes what was not touched since. */
  readonly before: number;
  /** Whether a day stays whole, until all of its events are that old. Then pruning drops it. */
  readonly wholeDays?: boolean;
  /** Events per transaction, small enough that no ingest has to wait. */
  readonly batchSize?: number;
  readonly mustStop?: () => boolean;
}

/** Longer than any signature is accepted: from 15 minutes behind to 15 minutes ahead. */
const bodyMs = 3_600_000;

/**
 * Deletes events that arrived before a moment, with their deliveries and attempts. An event stays
 * while a delivery is pending or was attempted since, so that recent dead deliveries can be
 * replayed. The keys of events go later, long after a signature of that age would be rejected.
 */
export async function prune(
  context: RelayContext,
  { before, wholeDays = false, batchSize = 500, mustStop = () => false }: PruneOptions,
): Promise<Pruned> {
  const { db } = context;
  const options = { before, batchSize, mustStop };
  let events = 0;
  for (const partition of await listPartitions(db)) {
    if (partition.to > before || mustStop()) continue;
    const dropped = await dropPartition(context, partition, before);
    events += dropped ?? (await pruneRows(context, `event_${partition.name}`, options));
  }
  events += await pruneRows(context, wholeDays ? 'event_default' : 'event', options);
  await pruneBodies(context, options);
  await db.deleteFrom('hourly_count').where('hour', '<', new Date(before)).execute();
  return { events, subscriptions: await pruneSubscriptions(context, before) };
}

interface RowOptions {
  readonly before: number;
  readonly batchSize: number;
  readonly mustStop: () => boolean;
}

/** Deletes events of a table, or of a partition, one by one. */
async function pruneRows(
  context: RelayContext,
  table: string,
  { before, batchSize, mustStop }: RowOptions,
): Promise<number> {
  const { db } = context;
  let events = 0;
  for (const { number } of await db.selectFrom('source').select('number').execute()) {
    let after: string | undefined = leastUuidAt(0);
    while (after !== undefined && !mustStop()) {
      const batch = await nextBatch(context, number, { table, after, before, batchSize });
      const kept = await keptOf(context, number, batch, before);
      const old = batch.filter((id) => !kept.has(id));
      if (old.length > 0) {
        events += await retryConflict(() => pruneEvents(context, number, old));
      }
      after = batch.length < batchSize ? undefined : batch.at(-1);
    }
  }
  return events;
}

interface Batch {
  readonly table: string;
  readonly after: string;
  readonly before: number;
  readonly batchSize: number;
}

async function nextBatch(
  { db }: RelayContext,
  source: number,
  { table, after, before, batchSize }: Batch,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)}
    WHERE source_number = ${source} AND id > ${after} AND id < ${leastUuidAt(before)}
    ORDER BY source_number, id LIMIT ${batchSize}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Selected by ID: inside the query above, each batch would read the whole tables. */
async function keptOf(
  { db }: RelayContext,
  source: number,
  ids: readonly string[],
  before: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_id: string }>`
    SELECT event_id FROM delivery
    WHERE source_number = ${source} AND event_id = ANY(${ids}::uuid[]) AND state = 'pending'
    UNION
    SELECT event_id FROM attempt
    WHERE source_number = ${source} AND event_id = ANY(${ids}::uuid[]) AND at >= ${new Date(before)}
  `.execute(db);
  return new Set(rows.map((row) => row.event_id));
}

/** An event whose delivery is being replayed stays: its row is locked, or already pending. */
async function pruneEvents(
  { db }: RelayContext,
  source: number,
  ids: readonly string[],
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`
      DELETE FROM delivery
      WHERE (source_number, event_id, subscription_number) IN (
        SELECT source_number, event_id, subscription_number FROM delivery
        WHERE source_number = ${source} AND event_id = ANY(${ids}::uuid[]) AND state <> 'pending'
        FOR UPDATE SKIP LOCKED
      )`.execute(transaction);
    const { rows } = await sql<{ id: string }>`
      WITH old AS (
        DELETE FROM event
        WHERE source_number = ${source} AND id = ANY(${ids}::uuid[]) AND NOT EXISTS (
          SELECT FROM delivery
          WHERE delivery.source_number = event.source_number AND delivery.event_id = event.id
        )
        RETURNING id, key, type, position
      ), forgotten AS (
        DELETE FROM event_key
        WHERE source_number = ${source} AND key IN (SELECT key FROM old)
      ), noted AS (
        INSERT INTO pruned (source_number, type, position)
        SELECT ${source}::integer, type, max(position) FROM old GROUP BY type ORDER BY type
        ON CONFLICT (source_number, type) DO UPDATE
          SET position = greatest(pruned.position, excluded.position)
      )
      SELECT id FROM old`.execute(transaction);
    await sql`
      DELETE FROM attempt
      WHERE source_number = ${source} AND event_id = ANY(${rows.map(({ id }) => id)}::uuid[])
    `.execute(transaction);
    return rows.length;
  });
}

/** Both times count: to be stored again, a body must be signed after the last one like it. */
async function pruneBodies(
  { db, clock }: RelayContext,
  { batchSize, mustStop }: RowOptions,
): Promise<void> {
  const before = new Date(clock.now() - bodyMs);
  let count = BigInt(batchSize);
  while (count === BigInt(batchSize) && !mustStop()) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM body WHERE (source_number, key) IN (
        SELECT source_number, key FROM body
        WHERE received_at < ${before} AND signed_at < ${before}
        LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
      )`.execute(db);
    count = numAffectedRows;
  }
}

async function pruneSubscriptions({ db }: RelayContext, before: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const old = transaction
      .selectFrom('subscription')
      .select('number')
      .where('deleted_at', '<', new Date(before));
    await transaction.deleteFrom('lease').where('subscription_number', 'in', old).execute();
    await transaction.deleteFrom('problem').where('subscription_number', 'in', old).execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('subscription')
      .where('number', 'in', old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
