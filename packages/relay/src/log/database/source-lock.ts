import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../base/tables.ts';

/** Distinguishes these locks from others of the database. */
const kind = 7_001;

/** Until the transaction ends: a request may need events that pruning would delete meanwhile. */
export async function keepFromPruning(db: Kysely<Tables>, source: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${kind}::integer, ${source}::integer)`.execute(db);
}

/** Whether no request needs the source now, and none will until the transaction ends. */
export async function mayPrune(db: Kysely<Tables>, source: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(${kind}::integer, ${source}::integer) AS "isFree"`.execute(db);
  return rows[0]?.isFree ?? false;
}
