import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AcquireOptions, RateLimiter } from '../../../shared/src/client/rate-limit.ts';
import { rejection } from '../support/bench.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

let clock: SimulatedClock;
let limiter: RateLimiter;
let granted: string[];
const large = { sent: 0 };
const small = { sent: 0 };

beforeEach(() => {
  clock = new SimulatedClock();
  granted = [];
  large.sent = 0;
  small.sent = 0;
});

function startLimiter(requests: number, reserved = 0): void {
  limiter = new RateLimiter({ requests, perMs: 60_000, reserved }, clock);
}

async function use(name: string, options: AcquireOptions): Promise<void> {
  const release = await limiter.acquire(options);
  granted.push(name);
  release();
}

const several = (count: number, name: string, options: AcquireOptions) =>
  Array.from({ length: count }, (_, nth) => use(`${name}${nth}`, options));

it('slots go to those who wait the longest', async () => {
  startLimiter(3);
  const first = several(5, 'large', { caller: large });
  await clock.advance(1000);
  const other = several(2, 'small', { caller: small });
  await clock.run(Promise.all([...first, ...other]));
  expect(granted.slice(3)).toEqual(['large3', 'large4', 'small0', 'small1']);
});

afterEach(() => {
  expect(clock.sleeping).toBe(0);
});

it('a refused request goes before the others, and a caller who leaves loses its turn', async () => {
  startLimiter(1);
  const first = several(2, 'large', { caller: large });
  const leaving = new AbortController();
  const gone = rejection(use('gone', { caller: small, signal: leaving.signal }));
  const again = use('again', { caller: small, isNext: true });
  leaving.abort('enough');
  expect(await gone).toBe('enough');
  await clock.run(Promise.all([...first, again]));
  expect(granted).toEqual(['large0', 'again', 'large1']);
});

it('reserved slots are for callers with few requests', async () => {
  startLimiter(100, 10);
  const first = several(150, 'large', { caller: large });
  await clock.advance(10_000);
  expect(granted).toHaveLength(90);
  await Promise.all(several(2, 'small', { caller: small }));
  const more = several(10, 'more', { caller: small });
  await clock.advance(10_000);
  // Five of the small one in all: what it sends beyond that waits like everything else.
  expect(granted.filter((name) => !name.startsWith('large'))).toEqual([
    'small0',
    'small1',
    'more0',
    'more1',
    'more2',
  ]);
  await clock.run(Promise.all([...first, ...more]));
  expect(granted).toHaveLength(162);
});

it('a request is refused at once if its turn certainly comes too late', async () => {
  startLimiter(2);
  const latest = clock.now() + 60_001;
  await use('first', { caller: large });
  await clock.advance(30_000);
  await use('second', { caller: large });
  const waiting = use('large', { caller: large, latest });
  const late = rejection(use('late', { caller: large, latest }));
  expect(await late).toMatchObject({ name: 'RateLimitWaitError', retryAfter: 61 });
  await clock.run(waiting);
  expect(granted).toEqual(['first', 'second', 'large']);
});
