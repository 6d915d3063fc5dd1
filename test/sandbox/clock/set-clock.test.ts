import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { ScheduledClock } from '../../../packages/sandbox/src/clock/sandbox-clock.ts';

const hour = 3_600_000;
const jumps = [
  ['back by an hour', -hour],
  ['forward by an hour, or by as much after the machine slept', hour],
] as const;

/** Sets the machine's clock from now on. What performance.now() measures stays true. */
function setClock(byMs: number): void {
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(jumps)('a machine whose clock is set %s', (_what, byMs) => {
  it('counts requests of an access as before', async () => {
    const sandbox = createSandbox({ rateLimit: { requests: 2 } });
    const call = async () => {
      const { apiKey } = sandbox.accesses[0];
      const headers = { authorization: `Bearer ${apiKey}` };
      return sandbox.fetch('http://sandbox/api/v1/coupons/NONE', { headers });
    };
    await call();
    await call();
    setClock(byMs);
    const refused = await call();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    await sandbox.clock.advance(60_000);
    expect((await call()).status).toBe(404);
    await sandbox.close();
  });

  it('runs each scheduled task after its full delay', async () => {
    const clock = new ScheduledClock('running', Date.now());
    const startedAt = clock.now();
    const ranAt: number[] = [];
    clock.schedule(startedAt + 60_000, async () => {
      ranAt.push(clock.elapsed());
    });
    setClock(byMs);
    await clock.advance(59_000);
    expect(ranAt).toEqual([]);
    await clock.advance(1000);
    expect(ranAt).toHaveLength(1);
    clock.clear();
  });
});

it('a frozen clock keeps the saved time, however long restoring it takes', () => {
  const clock = new ScheduledClock('running', 0);
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  clock.restore({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
  expect(clock.state()).toEqual({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
});
