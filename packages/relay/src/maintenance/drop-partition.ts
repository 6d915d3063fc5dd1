import { type Kysely, sql } from 'kysely';
import type { RelayContext } from '../context.ts';
import { type Partition, partitionedByTime } from '../database/partitions.ts';
import { retryConflict } from '../database/retry-conflict.ts';
import type { Tables } from '../database/tables.ts';
import { leastUuidAt } from '../database/uuid.ts';
import { withBriefLocks } from '../database/with-brief-locks.ts';

/** Events that move to the default partition, while other statements wait. */
const mostKept = 1_000;
const batchSize = 5_000;

/** Another process has dropped it. */
const undefinedTable = '42P01';

/**
 * Drops a partition of events that all arrived before a moment, with their deliveries and attempts.
 * Events with a delivery that is pending, or was attempted since, move to the default partition.
 * Returns how many events were deleted; undefined if too many of them stay.
 */
export async function dropPartition(
  context: RelayContext,
  partition: Partition,
  before: number,
): Promise<number | undefined> {
  const { db } = context;
  try {
    const kept = await keptOf(db, partition, before);
    if (kept.length > mostKept) return undefined;
    await deleteUndelivered(db, partition, kept);
    const newest = await newestOf(db, partition, kept);
    return await withBriefLocks(db, async (transaction) => {
      await sql`LOCK TABLE event, delivery, attempt IN ACCESS EXCLUSIVE MODE`.execute(transaction);
      // A replay may have come in between.
      const unsettled = await unsettledOf(transaction, partition);
      const stay = [...new Set([...kept, ...unsettled])];
      if (stay.length > mostKept) return undefined;
      if (newest.length > 0) await notePruned(transaction, newest);
      await detach(transaction, partition, stay);
      return newest.reduce((sum, { count }) => sum + count, kept.length - stay.length);
    });
  } catch (error) {
    if ((error as { code?: string }).code === undefinedTable) return 0;
    throw error;
  }
}

/** The condition that a column has the ID of an event of the partition. */
function within({ from, to }: Partition, column: string) {
  const id = sql.ref(column);
  return sql`${id} >= ${leastUuidAt(from)}::uuid AND ${id} < ${leastUuidAt(to)}::uuid`;
}

async function keptOf(
  db: Kysely<Tables>,
  partition: Partition,
  before: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: string }>`
    SELECT DISTINCT event_id FROM (
      SELECT event_id FROM delivery
      WHERE state = 'pending' AND source_number IN (SELECT number FROM source)
        AND ${within(partition, 'event_id')}
      UNION ALL
      SELECT event_id FROM ${sql.table(`attempt_${partition.name}`)} WHERE at >= ${new Date(before)}
    ) AS kept LIMIT ${mostKept + 1}`.execute(db);
  return rows.map((row) => row.event_id);
}

/** Those of all days are in one table for each state, so that a filter finds them in one index. */
async function deleteUndelivered(
  db: Kysely<Tables>,
  partition: Partition,
  kept: readonly string[],
): Promise<void> {
  let count: bigint | undefined;
  do {
    const { numAffectedRows } = await retryConflict(() =>
      sql`
        DELETE FROM delivery
        WHERE state IN ('ignored', 'dead') AND (source_number, event_id, subscription_number) IN (
          SELECT source_number, event_id, subscription_number FROM delivery
          WHERE state IN ('ignored', 'dead') AND source_number IN (SELECT number FROM source)
            AND ${within(partition, 'event_id')} AND event_id <> ALL (${kept}::uuid[])
          LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
        )`.execute(db),
    );
    count = numAffectedRows;
  } while (count === BigInt(batchSize));
}

interface Newest {
  readonly source_number: number;
  readonly type: string;
  readonly position: string;
  readonly count: number;
}

async function newestOf(
  db: Kysely<Tables>,
  partition: Partition,
  kept: readonly string[],
): Promise<readonly Newest[]> {
  const { rows } = await sql<Newest>`
    SELECT source_number, type, max(position) AS position, count(*)::integer AS count
    FROM ${sql.table(`event_${partition.name}`)} WHERE id <> ALL (${kept}::uuid[])
    GROUP BY source_number, type ORDER BY source_number, type`.execute(db);
  return rows;
}

async function unsettledOf(db: Kysely<Tables>, partition: Partition): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: string }>`
    SELECT DISTINCT event_id FROM delivery
    WHERE state <> 'delivered' AND source_number IN (SELECT number FROM source)
      AND ${within(partition, 'event_id')} LIMIT ${mostKept + 1}`.execute(db);
  return rows.map((row) => row.event_id);
}

/** For readers who continue at a position from long ago. */
async function notePruned(db: Kysely<Tables>, newest: readonly Newest[]): Promise<void> {
  await db
    .insertInto('pruned')
    .values(newest.map(({ source_number, type, position }) => ({ source_number, type, position })))
    .onConflict((conflict) =>
      conflict
        .columns(['source_number', 'type'])
        .doUpdateSet({ position: sql`greatest(pruned.position, excluded.position)` }),
    )
    .execute();
}

async function detach(
  db: Kysely<Tables>,
  { name }: Partition,
  stay: readonly string[],
): Promise<void> {
  for (const [table, column] of Object.entries(partitionedByTime)) {
    const [parent, partition] = [sql.table(table), sql.table(`${table}_${name}`)];
    if (stay.length > 0) {
      await sql`ALTER TABLE ${parent} DETACH PARTITION ${partition}`.execute(db);
      await sql`INSERT INTO ${parent} SELECT * FROM ${partition}
        WHERE ${sql.ref(column)} = ANY (${stay}::uuid[])`.execute(db);
    }
    await sql`DROP TABLE ${partition}`.execute(db);
  }
}
