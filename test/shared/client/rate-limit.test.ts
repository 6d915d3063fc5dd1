import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimitWaitError } from '@screen-advertising/core';
import {
  type AcquireSlotOptions,
  ClientRateLimiter,
} from '../../../shared/src/client/rate-limit.ts';
import { rejection } from '../support/rejection.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

let clock: SimulatedClock;
let limiter: ClientRateLimiter;
let granted: string[];

beforeEach(() => {
  clock = new SimulatedClock();
  limiter = new ClientRateLimiter({ requests: 2, perMs: 1000 }, clock);
  granted = [];
});

afterEach(() => {
  expect(clock.sleeping).toBe(0);
});

/** Takes a slot and releases it at once, as after a response without latency. */
async function use(name: string, options?: AcquireSlotOptions): Promise<void> {
  const release = await limiter.acquire(options);
  granted.push(name);
  release();
}

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

describe('a limiter', () => {
  it('grants its whole limit at once, and the next slot when the window has passed', async () => {
    await Promise.all([use('a'), use('b')]);
    const third = use('c');
    await clock.advance(1000);
    expect(granted).toEqual(['a', 'b']);
    await clock.advance(1);
    await third;
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  it('serves a waiting caller before a new one when its own timer is late', async () => {
    let lateMs = 0;
    const now = () => clock.now() + lateMs;
    limiter = new ClientRateLimiter(
      { requests: 2, perMs: 1000 },
      { now, sleep: (ms, signal) => clock.sleep(ms, signal) },
    );
    await Promise.all([use('a'), use('b')]);
    const waiting = use('c');
    lateMs = 1001;
    await clock.run(Promise.all([use('d'), waiting]));
    expect(granted).toEqual(['a', 'b', 'c', 'd']);
  });

  it('waits again when its timer fires too early', async () => {
    let earlyMs = 1;
    const sleep = (ms: number, signal?: AbortSignal) => clock.sleep(ms - earlyMs, signal);
    limiter = new ClientRateLimiter(
      { requests: 1, perMs: 1000 },
      { now: () => clock.now(), sleep },
    );
    await use('a');
    const waiting = use('b');
    earlyMs = 0;
    await clock.advance(1000);
    expect(granted).toEqual(['a']);
    await clock.advance(1);
    await waiting;
    expect(granted).toEqual(['a', 'b']);
  });

  it('does not let in a caller that has left, and takes no slot for it', async () => {
    const signal = AbortSignal.abort('enough');
    expect(await rejection(use('gone', { signal }))).toBe('enough');
    await Promise.all([use('a'), use('b')]);
    expect(granted).toEqual(['a', 'b']);
  });

  it('counts a request until a window after its response, since the service may count it late', async () => {
    const release = await limiter.acquire();
    await use('b');
    const third = use('c');
    const fourth = use('d');
    await clock.advance(1001);
    expect(granted).toEqual(['b', 'c']);
    await third;
    await clock.advance(10_000);
    expect(granted).toEqual(['b', 'c', 'd']);
    await fourth;
    release();
    release();
  });
});

describe('callers in line', () => {
  it('get slots in the order in which they came', async () => {
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => use(name)));
    await clock.run(all);
    expect(granted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('a refused request goes before the others, and a caller who leaves loses its turn', async () => {
    await Promise.all([use('a'), use('b')]);
    const waiting = use('c');
    const leaving = new AbortController();
    const gone = rejection(use('gone', { signal: leaving.signal }));
    const again = use('again', { isNext: true });
    leaving.abort('enough');
    expect(await gone).toBe('enough');
    await clock.run(Promise.all([waiting, again]));
    expect(granted).toEqual(['a', 'b', 'again', 'c']);
  });

  it('are refused at once if their turn certainly comes too late', async () => {
    const latest = clock.now() + 1001;
    await use('a');
    await clock.advance(500);
    await use('b');
    const waiting = use('c', { latest });
    expect(await rejection(use('d', { latest }))).toMatchObject({
      name: 'RateLimitWaitError',
      retryAfter: 2,
    });
    await clock.run(waiting);
    expect(granted).toEqual(['a', 'b', 'c']);
  });
});

describe('a caller who leaves the queue', () => {
  beforeEach(() => Promise.all([use('a'), use('b')]));

  it('rejects with the reason and lets the next one move up', async () => {
    const leaving = new AbortController();
    const gone = rejection(use('c', { signal: leaving.signal }));
    const next = use('d');
    leaving.abort('enough');
    expect(await gone).toBe('enough');
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0);
    await clock.advance(1001);
    await next;
    expect(granted).toEqual(['a', 'b', 'd']);
  });
});

describe('a caller with a latest time for its slot', () => {
  beforeEach(() => Promise.all([use('a'), use('b')]));

  it('waits when the slot opens just in time', async () => {
    const served = use('c', { latest: clock.now() + 1001 });
    await clock.advance(1001);
    await served;
    expect(granted).toContain('c');
  });

  it('is refused at once when it opens too late', async () => {
    const { signal } = new AbortController();
    const error = await rejection(use('c', { latest: clock.now() + 1000, signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(error).toBeInstanceOf(RateLimitWaitError);
    expect(error).toMatchObject({
      code: 'rate_limited',
      isRetryable: true,
      retryAfter: 2,
      message: 'Rate limit reached. Retry in 2 s.',
    });
  });

  it('is not refused while only a response in flight can decide', async () => {
    const one = new ClientRateLimiter({ requests: 1, perMs: 1000 }, clock);
    const release = await one.acquire();
    const second = one.acquire({ latest: clock.now() + 2000 });
    await clock.advance(500);
    release();
    await clock.advance(1001);
    (await second)();
  });
});

describe('a pause', () => {
  it('holds back every caller until it is over', async () => {
    limiter.pause(1500);
    const first = use('a');
    await clock.advance(1499);
    expect(granted).toEqual([]);
    await clock.advance(1);
    await first;
  });

  it('is not shortened by a shorter one', async () => {
    limiter.pause(1500);
    limiter.pause(10);
    const first = use('a');
    await clock.advance(1499);
    expect(granted).toEqual([]);
    await clock.run(first);
  });

  it('refuses at once a caller that would not wait that long, even in the middle of the queue', async () => {
    await Promise.all([use('a'), use('b')]);
    const patient = use('c');
    const impatient = rejection(use('d', { maxPauseMs: 1499 }));
    const late = rejection(use('e', { latest: clock.now() + 1499 }));
    limiter.pause(1500);
    expect(await impatient).toMatchObject({ name: 'RateLimitWaitError', retryAfter: 2 });
    expect(await late).toMatchObject({ name: 'RateLimitWaitError' });
    await clock.run(patient);
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  it('of more than two windows is cut to two: it may be a mistake', async () => {
    limiter.pause(86_400_000);
    const patient = use('a', { maxPauseMs: 2000 });
    const impatient = rejection(use('b', { maxPauseMs: 1999 }));
    expect(await impatient).toMatchObject({ name: 'RateLimitWaitError', retryAfter: 2 });
    await clock.advance(2000);
    await patient;
    expect(granted).toEqual(['a']);
  });

  it('of one second is reported in the singular', async () => {
    limiter.pause(1);
    expect(await rejection(use('a', { maxPauseMs: 0 }))).toHaveProperty(
      'message',
      'Rate limit reached. Retry in 1 s.',
    );
  });
});

describe('after a refusal', () => {
  beforeEach(() => {
    limiter = new ClientRateLimiter({ requests: 10, perMs: 12_000 }, clock);
  });

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
    await refuse(5_000);
    await clock.run(Promise.all([use('waiting'), use('again', { isNext: true })]));
    expect(granted).toEqual(['again', 'waiting']);
  });

  it('or once the limit was used up, a window begins with a request at a time, for others that share the access', async () => {
    expect(await slots(10)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await slots(3)).toEqual([12_001, 12_041, 12_081]);
  });
});
