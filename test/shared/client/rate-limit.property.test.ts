import { fc, it as property } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import type { ExactLimit } from '../../../shared/src/client/fair-share.ts';
import { RateLimiter } from '../../../shared/src/client/rate-limit.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

interface Journey {
  /** Milliseconds since the previous call. */
  readonly gap: number;
  /** Milliseconds to the service. */
  readonly there: number;
  /** Milliseconds back. */
  readonly back: number;
}

/** The times at which the service saw the requests of all these calls. */
async function arrivals(limit: ExactLimit, journeys: readonly Journey[]): Promise<number[]> {
  const clock = new SimulatedClock();
  const limiter = new RateLimiter(limit, clock);
  const seen: number[] = [];
  const travel = async ({ there, back }: Journey): Promise<void> => {
    const release = await limiter.acquire();
    await clock.sleep(there);
    seen.push(clock.now());
    await clock.sleep(back);
    release();
  };
  const calls: Promise<void>[] = [];
  for (const journey of journeys) {
    await clock.advance(journey.gap);
    calls.push(travel(journey));
  }
  await clock.run(Promise.all(calls));
  expect(clock.sleeping).toBe(0);
  return seen.sort((a, b) => a - b);
}

/** The largest number of requests in any window that includes both of its ends. */
function mostInAnyWindow(seen: readonly number[], perMs: number): number {
  return Math.max(
    ...seen.map((from) => seen.filter((at) => at >= from && at <= from + perMs).length),
  );
}

describe('the limiter, whatever the latency', () => {
  const journey = fc.record({
    gap: fc.integer({ min: 0, max: 300 }),
    there: fc.integer({ min: 0, max: 3000 }),
    back: fc.integer({ min: 0, max: 3000 }),
  });

  property.prop([
    fc.integer({ min: 1, max: 6 }),
    fc.array(journey, { minLength: 1, maxLength: 40 }),
  ])(
    'never lets the service count more than the allowance in any window',
    async (requests, journeys) => {
      const seen = await arrivals({ requests, perMs: 1000 }, journeys);
      expect(seen).toHaveLength(journeys.length);
      expect(mostInAnyWindow(seen, 1000)).toBeLessThanOrEqual(requests);
    },
  );

  it('uses at least 98 % of 600 requests per minute with latencies of 20 to 500 ms', async () => {
    const perMs = 60_000;
    const minutes = 5;
    const journeys = Array.from({ length: 600 * minutes + 1 }, (_, nth) => ({
      gap: 0,
      there: 10 + ((nth * 7919) % 241),
      back: 10 + ((nth * 104_729) % 241),
    }));
    const seen = await arrivals({ requests: 600, perMs }, journeys);
    expect(mostInAnyWindow(seen, perMs)).toBeLessThanOrEqual(600);
    const took = (seen.at(-1) ?? 0) - (seen[0] ?? 0);
    expect((seen.length - 1) / (took / perMs)).toBeGreaterThanOrEqual(0.98 * 600);
  });
});
