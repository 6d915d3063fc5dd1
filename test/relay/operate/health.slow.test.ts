import { expect, it } from '@jest/globals';
import { withQueryTimeLimit } from '../../../packages/relay/src/base/http.ts';
import { onDatabase, send, start } from '../support/running-relay.ts';

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

it('a relay whose database goes away is alive but not ready, accepts nothing, and still shows its own metrics', async () => {
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

it('a database that hangs gets a timeout', async () => {
  await expect(withQueryTimeLimit(new Promise(() => undefined), 50)).rejects.toMatchObject({
    status: 503,
    message: 'The database of the relay did not respond within 0.05 s.',
  });
  await expect(withQueryTimeLimit(Promise.reject(new Error('away')), 50)).rejects.toThrow('away');
  expect(await withQueryTimeLimit(Promise.resolve(1), 50)).toBe(1);
});

it('a database that becomes read-only, as at a failover, is not ready and says so, and once it writes again, every request works at once', async () => {
  const errors: unknown[] = [];
  const { url, call, databaseUrl } = await start({ onError: (error) => errors.push(error) });
  const subscribe = (nth: number) =>
    call('PUT', '/subscriptions', { target_url: `https://${nth}.example/`, events: ['*'] });
  const subscribeAll = async () => {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(subscribe));
    return responses.map(({ status, body }) => `${status} ${body.detail ?? ''}`);
  };
  await subscribeAll();
  await setParameter(databaseUrl, 'default_transaction_read_only = on');
  const detail =
    'The database of the relay cannot write (25006), such as during a failover or with a full disk. Retry in 5 s. The log of the relay has the cause.';
  expect((await send(`${url}/readyz`, 'GET', {})).body).toMatchObject({ status: 503, detail });
  expect(await subscribeAll()).toEqual(Array.from({ length: 5 }, () => `503 ${detail}`));
  expect(errors).toContainEqual(expect.objectContaining({ code: '25006' }));
  // Its sessions stay read-only, as those of a server that was the first one before do.
  await onDatabase(databaseUrl.replace(nameIn(databaseUrl), 'postgres'), (client) =>
    client.query(`ALTER DATABASE ${nameIn(databaseUrl)} RESET ALL`),
  );
  expect(await subscribeAll()).toEqual(Array.from({ length: 5 }, () => '200 '));
  expect((await send(`${url}/readyz`, 'GET', {})).status).toBe(200);
});
