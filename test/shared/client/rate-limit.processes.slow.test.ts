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

const of = (window: typeof slidingWindow) => (): Service => {
  const counted = window(requests, perMs);
  return (now) => Math.ceil(counted.take('access', now) / 1000);
};
/** The header says 60, as the specification shows it, whatever the window has left. */
const always60 = (): Service => {
  const service = of(slidingWindow)();
  return (now) => service(now) && 60;
};

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

const services = { sliding: of(slidingWindow), always60, fixed: of(fixedWindow) };
const rowsOf = (...counts: readonly number[]) =>
  Object.entries(services).flatMap(([name, make]) =>
    counts.map((processes) => [processes, name, make] as const),
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

  it.each(rowsOf(2, 4))(
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
    ['sliding', services.sliding],
    ['fixed', services.fixed],
  ])('is shared with processes that start later: %s', async (_name, make) => {
    const { part, byProcess, longestMs } = await use(make(), [0, 130_100, 160_700, 200_900]);
    expect(part).toBeGreaterThanOrEqual(0.95);
    expect(Math.min(...byProcess)).toBeGreaterThan(600);
    expect(longestMs).toBeLessThan(62_000);
  });
});

/** Independent clients on one access, without HTTP, so that hours of waiting take a second. */
async function shareAccess(service: Service, processes: number, calls: number) {
  const clock = new SimulatedClock();
  const startedAt = clock.now();
  const send = async () => {
    const halfMs = 20 * (0.75 + Math.random() / 2);
    await clock.sleep(halfMs);
    const seconds = service(clock.now());
    await clock.sleep(halfMs);
    if (seconds === 0) return { status: 200, headers: {}, body: '{"data":{"exists":false}}' };
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

it.each(rowsOf(6, 12))(
  '%d processes of 500 calls need 1.25 of the ideal, none lost: %s',
  async (processes, _name, make) => {
    const { ratio, lost } = await shareAccess(make(), processes, 500);
    expect(lost).toBe(0);
    expect(ratio).toBeLessThanOrEqual(1.25);
  },
);
