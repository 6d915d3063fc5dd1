import { describe, expect, it } from '@jest/globals';
import { type Scenario, shareAccess } from '../support/shared-access.ts';

const services: Pick<Scenario, 'window' | 'retryAfter'>[] = [
  { window: 'sliding', retryAfter: 'exact' },
  { window: 'sliding', retryAfter: 'minute' },
  { window: 'fixed', retryAfter: 'exact' },
  { window: 'fixed', retryAfter: 'minute' },
];
const seeds = [1, 2, 3, 4, 5];

describe.each(services)('over a $window window, with Retry-After: $retryAfter', (service) => {
  it.each(seeds)(
    '4 × 500 calls take 1.15 of the ideal, a tenth refused (seed %d)',
    async (seed) => {
      const { ratio, sent, refused, lost } = await shareAccess({
        processes: 4,
        calls: 500,
        seed,
        ...service,
      });
      expect(lost).toBe(0);
      expect(ratio).toBeLessThanOrEqual(1.15);
      expect(refused / sent).toBeLessThanOrEqual(0.1);
    },
  );

  it.each(
    seeds.flatMap((seed) => [
      { processes: 4, calls: 1500, seed },
      { processes: 12, calls: 500, seed },
    ]),
  )(
    '$processes × $calls calls take 1.25 of the ideal, none lost (seed $seed)',
    async (scenario) => {
      const { ratio, lost } = await shareAccess({ ...scenario, ...service });
      expect(lost).toBe(0);
      expect(ratio).toBeLessThanOrEqual(1.25);
    },
  );

  it.each([3000, 20_000])('processes that start %d ms apart lose nothing', async (apartMs) => {
    const scenario = { processes: 4, calls: 1500, seed: 1, apartMs };
    const { ratio, lost } = await shareAccess({ ...scenario, ...service });
    expect(lost).toBe(0);
    expect(ratio).toBeLessThanOrEqual(1.25);
  });

  it.each([5, 100, 200])('one process uses 98 %% alone, at %d ms of latency', async (latencyMs) => {
    const scenario = { processes: 1, calls: 3000, seed: 1, latencyMs };
    const { ratio, refused, lost } = await shareAccess({ ...scenario, ...service });
    expect({ refused, lost }).toEqual({ refused: 0, lost: 0 });
    expect(1 / ratio).toBeGreaterThanOrEqual(0.98);
  });
});
