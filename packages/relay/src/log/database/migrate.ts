import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { tables } from './migrations/0001-tables.ts';
import { lastUse } from './migrations/0002-last-use.ts';
import { retryConflict } from './retry-conflict.ts';
import type { Tables } from './tables.ts';

/**
 * In the order of their names. One that was released never changes: a database that ran it does not
 * run it again. Older processes keep running while a new one migrates, so a migration only adds:
 * tables, indexes, nullable columns or columns with a default. What is no longer used is removed one
 * release after the last one that used it.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
  '0002-last-use': lastUse,
};

const table = 'relay_migration';
const lockTable = `${table}_lock`;

/**
 * Migrates the database. Processes that start at the same time wait for each other with an advisory
 * lock, which ends with the process that holds it.
 */
export async function migrate(db: Kysely<Tables>, all = migrations): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await ranByNewer(db)), ...all }) },
    migrationTableName: table,
    migrationLockTableName: lockTable,
  });
  // It locks whole tables, one after the other, which processes that work already use.
  await retryConflict(async () => {
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  });
}

/** An older release that starts beside a newer one treats the newer migrations as done. */
async function ranByNewer(db: Kysely<Tables>): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(table)}`.execute(db);
  return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => undefined }]));
}
