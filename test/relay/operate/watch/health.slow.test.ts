import { describe, expect, it } from '@jest/globals';
import { withinBound } from '../../../../packages/relay/src/operate/watch/within-bound.ts';
import { onDatabase } from '../../support/database.ts';
import { send, start } from '../../support/running-relay.ts';

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

describe('a relay whose database goes away', () => {
  it('is alive but not ready, accepts nothing, and still shows its own metrics', async () => {
    const reported: unknown[] = [];
    const { url, databaseUrl, deliver } = await start({
      onError: (error) => reported.push(error),
    });
    const name = nameIn(databaseUrl);
    const other = databaseUrl.replace(name, 'postgres');
    await onDatabase(other, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    const answer = await send(`${url}/readyz`, 'GET', {});
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer).toMatchObject({
      status: 503,
      body: {
        type: 'urn:screen-advertising:relay:problem:unavailable',
        title: 'Temporarily unavailable',
        status: 503,
        detail: 'The database of the relay does not respond. Retry in 5 s.',
      },
    });
    expect((await send(`${url}/healthz`, 'GET', {})).status).toBe(200);
    expect((await deliver({ id: '1', type: 'campaign.paid' })).status).toBe(503);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('\nrelay_database_up 0\n');
    expect(metrics).toContain('\nrelay_ingest_total{result="unavailable"} 1\n');
    expect(metrics).toContain('\nprocess_resident_memory_bytes ');
    expect(metrics).not.toMatch(/^relay_deliveries\{/m);
    expect(reported.length).toBeGreaterThan(0);
  });
});

describe('a database that hangs', () => {
  it('gets a timeout', async () => {
    await expect(withinBound(new Promise(() => undefined), 50)).rejects.toMatchObject({
      status: 503,
      message: 'The database of the relay did not respond within 0.05 s.',
    });
    await expect(withinBound(Promise.reject(new Error('away')), 50)).rejects.toThrow('away');
    expect(await withinBound(Promise.resolve(1), 50)).toBe(1);
  });
});

describe('/readyz', () => {
  it.each([
    ['default_transaction_read_only = on', '25006'],
    // Fails where a full disk does: when the query extends a file.
    ['temp_file_limit = 64', '53400'],
  ])('is 503 while the database cannot write: %s', async (setting, code) => {
    const errors: unknown[] = [];
    const { url, databaseUrl, relay } = await start({ onError: (error) => errors.push(error) });
    expect((await send(`${url}/readyz`, 'GET', {})).status).toBe(200);
    await relay.clock.advance(1_000);
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

  it('writes once for all requests of a second', async () => {
    const { url, databaseUrl, relay } = await start();
    const commits = () =>
      onDatabase(databaseUrl, async (client) => {
        await client.query('SELECT pg_stat_force_next_flush()');
        const query =
          'SELECT n_tup_upd::integer AS writes FROM pg_stat_user_tables WHERE relname = $1';
        return (await client.query(query, ['relay_migration_lock'])).rows[0].writes;
      });
    const before = await commits();
    const probe = () => send(`${url}/readyz`, 'GET', {});
    const probes = await Promise.all(Array.from({ length: 200 }, probe));
    expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]));
    for (let nth = 0; nth < 5; nth += 1) await probe();
    await relay.clock.advance(1_000);
    await probe();
    await relay.close();
    expect((await commits()) - before).toBe(2);
  });
});
