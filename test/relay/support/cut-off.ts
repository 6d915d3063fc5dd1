import { onDatabase } from './database.ts';

/** Closes the connections to a database, and refuses others. */
export async function cutOff(databaseUrl: string): Promise<void> {
  const name = /test_\w+/.exec(databaseUrl)?.[0] ?? '';
  await onDatabase(databaseUrl.replace(name, 'postgres'), async (client) => {
    await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
  });
}
