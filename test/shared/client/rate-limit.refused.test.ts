import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AcquireOptions, RateLimiter } from '../../../shared/src/client/rate-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

let clock: SimulatedClock;
let limiter: RateLimiter;
let granted: string[];

beforeEach(() => {
  clock = new SimulatedClock();
  granted = [];
});

afterEach(() => {
  expect(clock.sleeping).toBe(0);
});

async function use(name: string, options?: AcquireOptions): Promise<void> {
  const release = await limiter.acquire(options);
  granted.push(name);
  release();
}

describe('after a refusal', () => {
  const limit = { requests: 10, perMs: 1000 };

  /** Grants this many requests at once, then refuses one, with a pause of half a window. */
  async function refusedAfter(grants: number): Promise<void> {
    limiter = new RateLimiter(limit, clock);
    const releases = [];
    for (let nth = 0; nth <= grants; nth += 1) releases.push(await limiter.acquire());
    const last = releases.pop();
    for (const release of releases) release();
    last?.(500);
  }

  /** How many requests are let in after this much time. */
  async function letInAfter(ms: number, isAnswered: boolean): Promise<number> {
    let count = 0;
    const leaving = new AbortController();
    const ask = async (): Promise<void> => {
      const release = await limiter.acquire({ signal: leaving.signal });
      count += 1;
      if (isAnswered) release();
    };
    const all = Promise.allSettled(Array.from({ length: 20 }, ask));
    await clock.advance(ms);
    leaving.abort();
    await all;
    return count;
  }

  it('one request goes first, and the others wait for its response', async () => {
    await refusedAfter(1);
    expect(await letInAfter(900, false)).toBe(1);
  });

  it('no request is sent before the pause is over', async () => {
    await refusedAfter(1);
    expect(await letInAfter(499, true)).toBe(0);
  });

  it('a process takes less than it was granted, and gradually more', async () => {
    await refusedAfter(8);
    // 7 of the 8 slots, all of them taken until the window ends.
    expect(await letInAfter(520, true)).toBe(0);
    // By the end of the window the share has grown to all ten, and the refused request may count
    // too.
    expect(await letInAfter(460, true)).toBe(1);
  });

  it('a refused caller goes before the waiting ones', async () => {
    await refusedAfter(10 - 1);
    const waiting = use('waiting');
    const again = use('again', { isNext: true });
    await clock.run(Promise.all([waiting, again]));
    expect(granted).toEqual(['again', 'waiting']);
  });

  it('processes resume at different moments', async () => {
    const ends: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      await refusedAfter(0);
      const startedAt = clock.now();
      await clock.run(use('a'));
      ends.push(clock.now() - startedAt);
    }
    expect(new Set(ends).size).toBeGreaterThan(10);
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(500);
    // The refused request may count, so the share first grows by one slot, which takes 50 ms.
    expect(Math.max(...ends)).toBeLessThanOrEqual(570);
  });
});
