import { describe, expect, it, jest } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { ClockWithinLimits } from '../../../packages/sandbox/src/state/sandbox-clock.ts';

describe('the clock', () => {
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
