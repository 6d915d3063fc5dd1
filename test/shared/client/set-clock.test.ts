import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { problem } from '../support/steps.ts';
import { get, hour, useTokenBench } from '../support/token-bench.ts';

const bench = useTokenBench();
const screen = { body: { id: 'scr_1' } };

/** Nothing else changes. */
function setClock(byMs: number): void {
  const { clock } = bench;
  jest.spyOn(clock, 'date').mockImplementation(() => clock.now() + byMs);
}

describe.each([
  ['back by an hour', -hour],
  ['forward by an hour, or by as much while the machine slept', hour],
])('when the clock of the machine is set %s', (_what, byMs) => {
  /** The time until the work ends, with the clock set while it waits. */
  async function timeOf(work: Promise<unknown>): Promise<number> {
    const startedAt = bench.clock.now();
    await bench.clock.settle();
    setClock(byMs);
    await bench.clock.run(work);
    return bench.clock.now() - startedAt;
  }

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('a full window waits as long as before', async () => {
    bench.service.on('GET /screens/scr_1', screen);
    const client = bench.client({ rateLimit: { requests: 2, perMs: 60_000 } });
    expect(await timeOf(Promise.all([get(client), get(client), get(client)]))).toBe(60_001);
  });

  it('a pause lasts as long as the service asked', async () => {
    bench.service.on('GET /screens/scr_1', problem(429, { retry_after: 30 }), screen);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const client = bench.client();
    const tookMs = await timeOf(Promise.all([get(client), get(client)]));
    expect(tookMs).toBeGreaterThanOrEqual(30_000);
    expect(tookMs).toBeLessThanOrEqual(30_000 + 100);
  });

  it('a token is used for its hour, and renewed after that', async () => {
    bench.issue('t1', 't2');
    const client = bench.clientWithToken();
    await get(client);
    setClock(byMs);
    await bench.clock.advance(hour / 2);
    await get(client);
    expect(bench.tokenRequests).toHaveLength(1);
    await bench.clock.advance(hour / 2);
    await get(client);
    expect(bench.tokenRequests).toHaveLength(2);
  });

  it('a stored token expires at a date, which other processes can read', async () => {
    bench.issue('t1');
    setClock(byMs);
    const stored: number[] = [];
    const store = {
      get: async () => undefined,
      set: async (_key: string, { expiresAt }: { expiresAt: number }) => {
        stored.push(expiresAt);
      },
    };
    await get(bench.clientWithToken({}, store));
    expect(stored).toEqual([bench.clock.now() + byMs + hour]);
  });
});
