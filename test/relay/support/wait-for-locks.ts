import { eventually } from '../../support/eventually.ts';
import { onDatabase } from './running-relay.ts';

/** Resolves once so many statements wait for a lock in the database. */
export async function waitForLocks(
  { databaseUrl }: { readonly databaseUrl: string },
  count: number,
): Promise<void> {
  const text = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await onDatabase(databaseUrl, (client) =>
    eventually(
      async () => (await client.query(text)).rowCount === count,
      `${count} statements wait`,
    ),
  );
}
