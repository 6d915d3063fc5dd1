import { describe, expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { ClockWithinLimits } from '../../../packages/sandbox/src/state/sandbox-clock.ts';

describe('the clock', () => {
  it('runs with real time by default', async () => {
    const { clock } = createSandbox();
    expect(clock.isFrozen).toBe(false);
    const earliest = Date.now();
    const before = clock.now();
    expect(before).toBeGreaterThanOrEqual(earliest - 1000);
    expect(before).toBeLessThanOrEqual(Date.now() + 1000);
    while (clock.now() === before) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now()).toBeGreaterThan(before);
  });

  it('freezes at the current moment, and continues from there', async () => {
    const { clock } = createSandbox({ startAt: '2027-03-01T09:00:00Z' });
    clock.freeze();
    const frozen = clock.now();
    const frozenAt = Date.now();
    await clock.advance(3_600_000);
    expect(clock.now()).toBe(frozen + 3_600_000);
    clock.run();
    expect(clock.isFrozen).toBe(false);
    expect(clock.now() - frozen - 3_600_000).toBeLessThanOrEqual(Date.now() - frozenAt + 1000);
    await clock.advance(60_000);
    expect(clock.now() - frozen).toBeGreaterThanOrEqual(3_660_000);
  });

  it('advances step by step, even if the calls overlap', async () => {
    const { clock } = createSandbox({ clock: 'frozen', startAt: 0 });
    await Promise.all([clock.advance(10), clock.advance(20), clock.advance(30)]);
    expect(clock.now()).toBe(60);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not advance by %d', async (ms) => {
    const { clock } = createSandbox();
    await expect(clock.advance(ms)).rejects.toThrow(
      `The clock can only advance by 0 ms or more, not ${ms}.`,
    );
  });

  it('rejects an invalid start', () => {
    for (const startAt of ['tomorrow', '1969-12-31T23:59:59Z', '5000-01-01']) {
      expect(() => createSandbox({ startAt })).toThrow(
        `startAt must be a time between the years 1970 and 5000, such as 2027-03-01T09:00:00Z, not ${startAt}.`,
      );
    }
  });
});

it('a frozen clock keeps the saved time, however long restoring it takes', () => {
  const clock = new ClockWithinLimits('running', 0);
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  clock.restore({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
  expect(clock.state()).toEqual({ offsetMs: 0, frozenAt: 1_803_891_600_000 });
});
