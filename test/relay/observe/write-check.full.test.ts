import { describe, expect, it } from '@jest/globals';
import { onDatabase } from '../support/database.ts';
import { send, start } from '../support/running-relay.ts';

const nameIn = (url: string) => /@\/(\w+)\?/.exec(url)?.[1] ?? '';

/** Sets a parameter for connections that open later, and closes the open ones. */
async function setParameter(databaseUrl: string, setting: string): Promise<void> {
  const name = nameIn(databaseUrl);
  await onDatabase(databaseUrl.replace(name, 'postgres'), async (client) => {
    await client.query(`ALTER DATABASE ${name} SET ${setting}`);
    await client.query(
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
  });
}

describe('/readyz', () => {
  it.each([
    ['default_transaction_read_only = on', '25006'],
    // Fails where a full disk does: when the query extends a file.
    ['temp_file_limit = 64', '53400'],
  ])('is 503 while the database cannot write: %s', async (setting, code) => {
    const errors: unknown[] = [];
    const { url, databaseUrl } = await start({ onError: (error) => errors.push(error) });
    expect((await send(`${url}/readyz`, 'GET', {})).status).toBe(200);
    await setParameter(databaseUrl, setting);
    errors.length = 0;
    expect(await send(`${url}/readyz`, 'GET', {})).toMatchObject({
      status: 503,
      body: {
        detail: `The database of the relay cannot write (${code}). See the log of the relay for the cause, such as a full disk.`,
      },
    });
    expect(errors).toEqual([expect.objectContaining({ code })]);
    await onDatabase(databaseUrl.replace(nameIn(databaseUrl), 'postgres'), (client) =>
      client.query(`ALTER DATABASE ${nameIn(databaseUrl)} RESET ALL`),
    );
  });

  it('checks once for all requests that arrive during a check', async () => {
    const { url, databaseUrl } = await start();
    const commits = () =>
      onDatabase(databaseUrl, async (client) => {
        await client.query('SELECT pg_stat_force_next_flush()');
        const query =
          'SELECT n_tup_upd::integer AS writes FROM pg_stat_user_tables WHERE relname = $1';
        return (await client.query(query, ['relay_migration_lock'])).rows[0].writes;
      });
    const probes = await Promise.all(
      Array.from({ length: 200 }, () => send(`${url}/readyz`, 'GET', {})),
    );
    expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await commits()).toBeLessThan(200);
  });
});
