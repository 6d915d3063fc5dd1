import { networkInterfaces } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { start } from './support/running-sandbox.ts';

const [first] = createSandbox().accesses;

describe('invalid options', () => {
  it.each<[SandboxOptions, string]>([
    [{ seed: -1 }, 'Invalid options for createSandbox: seed: '],
    [{ screens: 1.5 }, 'Invalid options for createSandbox: screens: '],
    [{ latencyMs: Number.NaN }, 'Invalid options for createSandbox: latencyMs: '],
    [{ rateLimit: { requests: 0 } }, 'Invalid options for createSandbox: rateLimit.requests: '],
    [{ accesses: [first, first] }, 'accesses: each access needs its own id.'],
    [
      { accesses: [first, { ...first, id: 'b', clientId: 'b' }] },
      'accesses: each access needs its own apiKey.',
    ],
    [
      { accesses: [{ ...first, apiKey: 'key' }] },
      'accesses: the apiKey of full must start with svc_.',
    ],
    [
      { accesses: [{ ...first, signingSecret: '' }] },
      'accesses: the signingSecret of full is empty.',
    ],
  ])('%j', (options, message) => {
    expect(() => createSandbox(options)).toThrow(message);
  });
});

describe('without a socket', () => {
  it('responds the same as over one', async () => {
    const { sandbox, call, full, url } = await start();
    const overSocket = await call('GET', '/screens?limit=3');
    const response = await sandbox.fetch(`${url}/api/v1/screens?limit=3`, {
      headers: { authorization: `Bearer ${full.apiKey}` },
    });
    expect([response.status, await response.text()]).toEqual([200, overSocket.text]);
  });
});

describe('listening', () => {
  it.each([[undefined], [0], [{}], [{ port: 0 }], [{ port: 0, host: undefined }]])(
    'on %j reaches this machine only',
    async (address) => {
      const { sandbox } = await start();
      const { url, baseUrl } = await sandbox.listen(address);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(baseUrl).toBe(`${url}/api/v1`);
      const machine = networkInterfaces();
      const outside = Object.values(machine).flatMap((addresses) => addresses ?? []);
      for (const { address: host, internal, family } of outside) {
        if (internal || family !== 'IPv4') continue;
        await expect(fetch(url.replace('127.0.0.1', host))).rejects.toThrow('fetch failed');
      }
    },
  );
});

describe('several sandboxes', () => {
  it('are independent of each other', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    await one.sandbox.fire('user.registered', { email: 'new@example.com' });
    expect(other.sandbox.users.list().map(({ email }) => email)).not.toContain('new@example.com');
    await one.sandbox.close();
    expect((await other.call('GET', '/screens')).status).toBe(200);
  });
});

describe('closing', () => {
  it('can be done twice, and ends requests under way', async () => {
    const { sandbox, call } = await start();
    sandbox.faults.add({ fault: 'latency', ms: 60_000 });
    const under = call('GET', '/screens').catch((error: Error) => error.message);
    while (sandbox.faults.list()[0]?.triggered === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sandbox.close();
    await sandbox.close();
    expect(await under).toBe('fetch failed');
  });
});
