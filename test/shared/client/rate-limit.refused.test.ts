import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientRateLimiter } from '../../../shared/src/client/rate-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

let clock: SimulatedClock;
let limiter: ClientRateLimiter;

beforeEach(() => {
  clock = new SimulatedClock();
  limiter = new ClientRateLimiter({ requests: 10, perMs: 12_000 }, clock);
});

afterEach(() => {
  expect(clock.sleeping).toBe(0);
});

/** When each of so many callers gets a slot, counted from now. Each is released at once. */
async function slots(count: number): Promise<number[]> {
  const startedAt = clock.now();
  const one = async (): Promise<number> => {
    (await limiter.acquire())();
    return clock.now() - startedAt;
  };
  return await clock.run(Promise.all(Array.from({ length: count }, one)));
}

async function refuse(pauseMs: number): Promise<void> {
  (await limiter.acquire())(pauseMs);
}

describe('after a refusal', () => {
  it('no request is sent before the pause is over, and then one each twelfth of a second', async () => {
    await refuse(5_000);
    expect(await slots(3)).toEqual([5_000, 5_100, 5_200]);
  });

  it('the refused request counts until a window later, since the service may count it', async () => {
    await refuse(5_000);
    const all = await slots(11);
    expect(all.slice(8)).toEqual([5_800, 12_001, 17_001]);
  });

  it('two windows later, requests are sent at once again', async () => {
    await refuse(1_000);
    await clock.advance(25_000);
    expect(await slots(3)).toEqual([0, 0, 0]);
  });

  it('a refused caller goes before the waiting ones', async () => {
    const granted: string[] = [];
    const use = async (name: string, isNext: boolean): Promise<void> => {
      const release = await limiter.acquire({ isNext });
      granted.push(name);
      release();
    };
    await refuse(5_000);
    await clock.run(Promise.all([use('waiting', false), use('again', true)]));
    expect(granted).toEqual(['again', 'waiting']);
  });
});

describe('once the limit was used up', () => {
  it('the next window begins with a request at a time, for others that share the access', async () => {
    expect(await slots(10)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await slots(3)).toEqual([12_001, 12_041, 12_081]);
  });
});
