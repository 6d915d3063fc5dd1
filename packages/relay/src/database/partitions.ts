import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';
import { leastUuidAt } from './uuid.ts';
import { withBriefLocks } from './with-brief-locks.ts';

/** The tables that are partitioned by the moment in an event's ID, with its column. */
export const partitionedByTime = {
  event: 'id',
  delivery_delivered: 'event_id',
  attempt: 'event_id',
} as const;

/** One in each of these tables. */
export interface Partition {
  /** How their names end, such as `20270301`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

const day = 24 * 3_600_000;
/** A relay that cannot add one for an hour or two still has the next. */
const aheadMs = day;
/** More partitions make each statement slower that looks into all of them. */
const usualCount = 30;

/** Oldest first, without the default one. */
export async function listPartitions(db: Kysely<Tables>): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    SELECT substr(relname, length('event_') + 1) AS name, pg_get_expr(relpartbound, oid) AS bounds
    FROM pg_class JOIN pg_inherits ON inhrelid = oid
    WHERE inhparent = 'event'::regclass AND relname <> 'event_default'`.execute(db);
  return rows
    .map(({ name, bounds }) => {
      const [from = Number.NaN, to = Number.NaN] = (bounds.match(/'[^']+'/g) ?? []).map(momentOf);
      return { name, from, to };
    })
    .sort((a, b) => a.from - b.from);
}

/** Of a quoted UUID. */
function momentOf(id: string): number {
  return Number.parseInt(id.replaceAll(/['-]/g, '').slice(0, 12), 16);
}

/**
 * Makes sure that today's events and tomorrow's have partitions, each of a day, or of more days if
 * events stay for months. A day whose first events went to the default partition stays there.
 */
export async function addPartitions(
  db: Kysely<Tables>,
  now: number,
  retentionMs: number,
): Promise<void> {
  const width = Math.max(1, Math.ceil(retentionMs / day / usualCount)) * day;
  if (missing(await listPartitions(db), now, width).length === 0) return;
  await withBriefLocks(db, async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock('event'::regclass::bigint)`.execute(transaction);
    for (const partition of missing(await listPartitions(transaction), now, width)) {
      if (await isTaken(transaction, partition)) continue;
      await createPartition(transaction, partition);
    }
  });
}

/** What today and tomorrow lack. After a clock that was wrong, there may be partitions later on. */
function missing(existing: readonly Partition[], now: number, width: number): Partition[] {
  const added: Partition[] = [];
  let from = now - (now % day);
  while (from <= now + aheadMs) {
    const covering = existing.find((one) => one.from <= from && from < one.to);
    const next = existing.find((one) => one.from > from);
    const to = covering?.to ?? Math.min(from + width, next?.from ?? Number.POSITIVE_INFINITY);
    const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
    if (covering === undefined) added.push({ name, from, to });
    from = to;
  }
  return added;
}

/** Whether the default partition has events of that time. */
async function isTaken(transaction: Transaction<Tables>, { from, to }: Partition) {
  const { rows } = await sql`
    SELECT FROM source CROSS JOIN LATERAL (
      SELECT FROM event_default WHERE source_number = source.number
        AND id >= ${leastUuidAt(from)} AND id < ${leastUuidAt(to)} LIMIT 1
    ) AS taken LIMIT 1`.execute(transaction);
  return rows.length > 0;
}

export async function createPartition(
  transaction: Transaction<Tables>,
  { name, from, to }: Partition,
): Promise<void> {
  const bounds = `FROM ('${leastUuidAt(from)}') TO ('${leastUuidAt(to)}')`;
  for (const table of Object.keys(partitionedByTime)) {
    await attach(transaction, table, `${table}_${name}`, bounds);
  }
}

/** Unlike CREATE TABLE … PARTITION OF, it does not wait for statements that write to others. */
export async function attach(
  transaction: Transaction<Tables>,
  table: string,
  partition: string,
  bounds: string,
): Promise<void> {
  const [parent, added] = [sql.table(table), sql.table(partition)];
  await sql`CREATE TABLE ${added} (LIKE ${parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`.execute(
    transaction,
  );
  await sql`ALTER TABLE ${parent} ATTACH PARTITION ${added} FOR VALUES ${sql.raw(bounds)}`.execute(
    transaction,
  );
}
