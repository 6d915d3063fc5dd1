import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient, type Transport } from '@screen-advertising/core';
import { fixedWindow, slidingWindow } from '../../../packages/sandbox/src/access/limits.ts';
import { ClientRateLimiter } from '../../../shared/src/client/rate-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const perMs = 60_000;
const requests = 600;
const minutes = 10;

/** The limit of section 8: zero for a request that is accepted, else the seconds to wait. */
type Service = (now: number) => number;

function sliding(): Service {
  const seen: number[] = [];
  return (now) => {
    while ((seen[0] ?? now) <= now - perMs) seen.shift();
    if (seen.length < requests) return seen.push(now) * 0;
    return Math.max(1, Math.ceil(((seen[0] ?? now) + perMs - now) / 1000));
  };
}

/** The header says 60, as the specification shows it, whatever the window has left. */
function always60(): Service {
  const service = sliding();
  return (now) => service(now) && 60;
}

function fixed(): Service {
  let until = 0;
  let count = 0;
  return (now) => {
    if (now >= until) [until, count] = [now - (now % perMs) + perMs, 0];
    count += 1;
    return count > requests ? Math.max(1, Math.ceil((until - now) / 1000)) : 0;
  };
}

interface Used {
  /** Of the limit of all minutes. */
  readonly part: number;
  readonly byProcess: readonly number[];
  readonly refusedPart: number;
  /** The longest wait of a caller, beyond what the service asked of it. */
  readonly longestMs: number;
}

/** Processes of one access, each with callers that always have a next request, for ten minutes. */
async function use(service: Service, startsAt: readonly number[], callers = 60): Promise<Used> {
  const clock = new SimulatedClock(undefined, 0);
  const byProcess = startsAt.map(() => 0);
  let refused = 0;
  let longestMs = 0;
  const travel = () => clock.sleep(1 + Math.random() * 40);
  const call = async (limiter: ClientRateLimiter): Promise<void> => {
    const startedAt = clock.now();
    let askedMs = 0;
    for (let seconds = 1; seconds > 0; ) {
      const release = await limiter.acquire({ isNext: askedMs > 0 });
      await travel();
      seconds = service(clock.now());
      await travel();
      release(seconds > 0 ? seconds * 1000 : undefined);
      if (seconds > 0) refused += 1;
      askedMs += seconds * 1000;
    }
    longestMs = Math.max(longestMs, clock.now() - startedAt - askedMs);
  };
  startsAt.forEach((at, process) => {
    const limiter = new ClientRateLimiter({ requests, perMs }, clock);
    const work = async (): Promise<void> => {
      await clock.sleep(at);
      for (;;) {
        await call(limiter);
        byProcess[process] = (byProcess[process] ?? 0) + 1;
      }
    };
    for (let nth = 0; nth < callers; nth += 1) void work();
  });
  await clock.advance(minutes * perMs - 1);
  const sum = byProcess.reduce((one, other) => one + other);
  const refusedPart = refused / (sum + refused);
  return { part: sum / (minutes * requests), byProcess, refusedPart, longestMs };
}

const services = { sliding, always60, fixed };
const rows = Object.entries(services).flatMap(([name, make]) =>
  [2, 4].map((processes) => [processes, name, make] as const),
);

describe('the limit of an access', () => {
  it.each(Object.entries(services))(
    'is used whole by one process, which is never refused: %s',
    async (_name, make) => {
      const { part, refusedPart, longestMs } = await use(make(), [0]);
      expect([part, refusedPart]).toEqual([1, 0]);
      expect(longestMs).toBeLessThan(61_000);
    },
  );

  it.each(rows)(
    'is used by %i processes, each with its part, and all callers have their turn: %s',
    async (processes, _name, make) => {
      const { part, byProcess, refusedPart, longestMs } = await use(
        make(),
        Array<number>(processes).fill(0),
      );
      expect(part).toBeGreaterThanOrEqual(0.95);
      expect(Math.min(...byProcess) / Math.max(...byProcess)).toBeGreaterThan(0.9);
      expect(refusedPart).toBeLessThan(0.1);
      expect(longestMs).toBeLessThan(62_000);
    },
  );

  it.each([
    ['sliding', sliding],
    ['fixed', fixed],
  ] as const)('is shared with processes that start later: %s', async (_name, make) => {
    const { part, byProcess, longestMs } = await use(make(), [0, 130_100, 160_700, 200_900]);
    expect(part).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...byProcess)).toBeGreaterThan(600);
    expect(longestMs).toBeLessThan(62_000);
  });
});

const windows = { sliding: slidingWindow, fixed: fixedWindow };

interface Access {
  readonly window: keyof typeof windows;
  /** The wait in a 429: the seconds until a request is free, or always a minute. */
  readonly retryAfter: 'exact' | 'minute';
}

/**
 * Independent clients on one access of a service that exists only in simulated time. It counts as
 * the sandbox does, without HTTP, so that hours of waiting take a second.
 */
async function shareAccess({ window, retryAfter }: Access, processes: number, calls: number) {
  const clock = new SimulatedClock();
  const startedAt = clock.now();
  const counted = windows[window](requests, perMs);
  const send = async () => {
    const halfMs = 20 * (0.75 + Math.random() / 2);
    await clock.sleep(halfMs);
    const waitMs = counted.take('access', clock.now());
    await clock.sleep(halfMs);
    if (waitMs === 0) return { status: 200, headers: {}, body: '{"data":{"exists":false}}' };
    const seconds = retryAfter === 'exact' ? Math.ceil(waitMs / 1000) : 60;
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: '' };
  };
  const ends = Array.from({ length: processes }, () => {
    // A client with its own clock shares nothing with the others, like one of another process.
    const own = { now: () => clock.now(), sleep: clock.sleep.bind(clock) };
    const transport: Transport = { clock: own, send };
    const baseUrl = 'http://127.0.0.1/api/v1';
    const { users } = createClient({ baseUrl, auth: apiKey('svc_shared'), transport });
    return Array.from({ length: calls }, (_, nth) => users.lookup({ email: `${nth}@example.com` }));
  });
  const all = await clock.run(Promise.allSettled(ends.flat()));
  const windowsNeeded = Math.ceil((processes * calls) / requests) - 1;
  return {
    /** Time from the first call to the last response, relative to the minimum possible. */
    ratio: (clock.now() - startedAt) / (windowsNeeded * perMs),
    lost: all.filter(({ status }) => status === 'rejected').length,
  };
}

const accesses: readonly Access[] = [
  { window: 'sliding', retryAfter: 'exact' },
  { window: 'sliding', retryAfter: 'minute' },
  { window: 'fixed', retryAfter: 'exact' },
  { window: 'fixed', retryAfter: 'minute' },
];

describe.each(accesses)(
  '600 requests a minute over a $window window, with Retry-After: $retryAfter',
  (service) => {
    it.each([6, 12])(
      'serve %d processes of 500 calls in 1.25 of the ideal, none lost',
      async (processes) => {
        const { ratio, lost } = await shareAccess(service, processes, 500);
        expect(lost).toBe(0);
        expect(ratio).toBeLessThanOrEqual(1.25);
      },
    );
  },
);
