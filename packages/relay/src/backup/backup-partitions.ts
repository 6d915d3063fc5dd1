import type { ClientBase } from 'pg';
import * as z from 'zod';
import { partitionedByTime } from '../database/partitions.ts';

const tables = [...Object.keys(partitionedByTime), 'event_key'];

/** As PostgreSQL shows a range of UUIDs, or a moment. */
const bounds = /^FOR VALUES (?:FROM \('[0-9a-f-]+'\) TO \('[0-9a-f-]+'\)|IN \('[0-9 :.+-]+'\))$/;

/** A partition that was added while the relay ran. */
export const backupPartition = z.object({
  table: z.enum(tables),
  name: z.string().regex(/^[a-z_]+_\d+$/),
  bounds: z.string().regex(bounds),
});

type BackupPartition = z.infer<typeof backupPartition>;

export async function partitionsIn(client: ClientBase): Promise<BackupPartition[]> {
  const { rows } = await client.query<BackupPartition>(
    `SELECT inhparent::regclass::text AS table, relname AS name,
      pg_get_expr(relpartbound, oid) AS bounds
      FROM pg_class JOIN pg_inherits ON inhrelid = oid
      WHERE inhparent = ANY ($1::text[]::regclass[]) AND relname NOT LIKE '%\\_default'
      ORDER BY relname`,
    [tables],
  );
  return rows;
}

/** Gives an empty database the partitions of another one, so that pruning can drop them, too. */
export async function replacePartitions(
  client: ClientBase,
  partitions: readonly BackupPartition[],
): Promise<void> {
  for (const { name } of await partitionsIn(client)) await client.query(`DROP TABLE ${name}`);
  await client.query('TRUNCATE key_generation');
  for (const { table, name, bounds } of partitions) {
    await client.query(`CREATE TABLE ${name} PARTITION OF ${table} ${bounds}`);
  }
}
