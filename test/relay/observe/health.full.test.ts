import { describe, expect, it } from '@jest/globals';
import { withinBound } from '../../../packages/relay/src/observe/within-bound.ts';
import { onDatabase } from '../support/database.ts';
import { send, start } from '../support/running-relay.ts';

describe('a relay whose database goes away', () => {
  it('is alive but not ready, accepts nothing, and still shows its own metrics', async () => {
    const reported: unknown[] = [];
    const { url, databaseUrl, deliver } = await start({ onError: (error) => reported.push(error) });
    expect(await send(`${url}/healthz`, 'GET', {})).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect((await send(`${url}/readyz`, 'GET', {})).status).toBe(200);
    const [, name = ''] = /@\/(\w+)\?/.exec(databaseUrl) ?? [];
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
