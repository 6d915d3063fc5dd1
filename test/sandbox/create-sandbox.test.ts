import { networkInterfaces } from 'node:os';
import { describe, expect, it, jest } from '@jest/globals';
import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { ClockWithinLimits } from '../../packages/sandbox/src/state/sandbox-clock.ts';
import { start } from './support/running-sandbox.ts';

const [first] = createSandbox().accesses;

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
])('invalid options are refused: %j', (options, message) => {
  expect(() => createSandbox(options)).toThrow(message);
});

it('a sandbox without a socket responds the same as over one', async () => {
  const { sandbox, call, full, url } = await start();
  const overSocket = await call('GET', '/screens?limit=3');
  const response = await sandbox.fetch(`${url}/api/v1/screens?limit=3`, {
    headers: { authorization: `Bearer ${full.apiKey}` },
  });
  expect([response.status, await response.text()]).toEqual([200, overSocket.text]);
});

it.each([[undefined], [0], [{}], [{ port: 0 }], [{ port: 0, host: undefined }]])(
  'listening on %j reaches this machine only',
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

it('several sandboxes are independent of each other', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await one.sandbox.fire('user.registered', { email: 'new@example.com' });
  expect(other.sandbox.users.list().map(({ email }) => email)).not.toContain('new@example.com');
  await one.sandbox.close();
  expect((await other.call('GET', '/screens')).status).toBe(200);
});

it('closing can be done twice, and ends requests under way', async () => {
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

const seeded = (options: SandboxOptions = {}) =>
  createSandbox({ clock: 'frozen', startAt: 0, ...options });

describe('the seed', () => {
  it('generates the same data for the same number, and other data for another', () => {
    const [one, same, other] = [{ seed: 5 }, { seed: 5 }, { seed: 6 }].map((options) =>
      JSON.stringify(seeded(options).snapshot()),
    );
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('has 320 screens with unique IDs, some of which cannot be booked', () => {
    const screens = seeded().screens.list();
    expect(new Set(screens.map(({ id }) => id)).size).toBe(320);
    const kinds = screens.map(({ bookable, is_active }) => `${bookable} ${is_active}`);
    expect(new Set(kinds)).toEqual(new Set(['true true', 'false true', 'false false']));
  });

  it('has screens that are turned as their measures say', () => {
    const screens = seeded().screens.list();
    for (const { resolution_width: width, resolution_height: height, ...screen } of screens) {
      const shape = width > height ? 'landscape' : width < height ? 'portrait' : 'square';
      expect(screen.orientation).toBe(shape);
    }
  });

  it('has as many screens as requested', () => {
    expect(seeded({ screens: 0 }).screens.list()).toEqual([]);
    const many = seeded({ screens: 2000 }).screens.list();
    expect(new Set(many.map(({ id }) => id)).size).toBe(2000);
  });
});

describe('the clock', () => {
  it('advances step by step, even if the calls overlap', async () => {
    const { clock } = createSandbox({ clock: 'frozen', startAt: 0 });
    await Promise.all([clock.advance(10), clock.advance(20), clock.advance(30)]);
    expect(clock.now()).toBe(60);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not advance by %d', async (ms) => {
    const { clock } = createSandbox();
    await expect(clock.advance(ms)).rejects.toThrow(
      `The clock can only advance by 0 ms or more, not ${ms}.`,
    );
  });

  it('rejects an invalid start', () => {
    for (const startAt of ['tomorrow', '1969-12-31T23:59:59Z', '5000-01-01']) {
      expect(() => createSandbox({ startAt })).toThrow(
        `startAt must be a time between the years 1970 and 5000, such as 2027-03-01T09:00:00Z, not ${startAt}.`,
      );
    }
  });
});

it('a frozen clock keeps the saved time, however long restoring it takes', () => {
  const clock = new ClockWithinLimits('running', 0);
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  clock.restore({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
  expect(clock.state()).toEqual({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
});
