import { describe, expect, it } from '@jest/globals';
import { apiKey, createClient, type Transport } from '@screen-advertising/core';
import { fixedWindow, slidingWindow } from '../../../packages/sandbox/src/access/limits.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const perMs = 60_000;
const requests = 600;
const windows = { sliding: slidingWindow, fixed: fixedWindow };

interface Service {
  readonly window: keyof typeof windows;
  /** The wait in a 429: the seconds until a request is free, or always a minute. */
  readonly retryAfter: 'exact' | 'minute';
}

/**
 * Independent clients on one access of a service that exists only in simulated time. It counts as
 * the sandbox does, without HTTP, so that hours of waiting take a second.
 */
async function shareAccess({ window, retryAfter }: Service, processes: number, calls: number) {
  const clock = new SimulatedClock();
  const startedAt = clock.now();
  const counted = windows[window](requests, perMs);
  const seen = { sent: 0, refused: 0 };
  const send = async () => {
    const halfMs = 20 * (0.75 + Math.random() / 2);
    seen.sent += 1;
    await clock.sleep(halfMs);
    const waitMs = counted.take('access', clock.now());
    await clock.sleep(halfMs);
    if (waitMs === 0) return { status: 200, headers: {}, body: '{"data":{"exists":false}}' };
    seen.refused += 1;
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
    ...seen,
    /** Time from the first call to the last response, relative to the minimum possible. */
    ratio: (clock.now() - startedAt) / (windowsNeeded * perMs),
    lost: all.filter(({ status }) => status === 'rejected').length,
  };
}

const services: readonly Service[] = [
  { window: 'sliding', retryAfter: 'exact' },
  { window: 'sliding', retryAfter: 'minute' },
  { window: 'fixed', retryAfter: 'exact' },
  { window: 'fixed', retryAfter: 'minute' },
];

describe.each(services)(
  '600 requests a minute over a $window window, with Retry-After: $retryAfter',
  (service) => {
    it('serve four processes of 500 calls in 1.15 of the ideal, a tenth refused', async () => {
      const { ratio, sent, refused, lost } = await shareAccess(service, 4, 500);
      expect(lost).toBe(0);
      expect(ratio).toBeLessThanOrEqual(1.15);
      expect(refused / sent).toBeLessThanOrEqual(0.1);
    });

    it.each([6, 12])(
      'serve %d processes of 500 calls in 1.25 of the ideal, none lost',
      async (processes) => {
        const { ratio, lost } = await shareAccess(service, processes, 500);
        expect(lost).toBe(0);
        expect(ratio).toBeLessThanOrEqual(1.25);
      },
    );

    it('are used by one process alone to 98 %, without a refusal', async () => {
      const { ratio, refused, lost } = await shareAccess(service, 1, 1800);
      expect({ refused, lost }).toEqual({ refused: 0, lost: 0 });
      expect(1 / ratio).toBeGreaterThanOrEqual(0.98);
    });
  },
);
