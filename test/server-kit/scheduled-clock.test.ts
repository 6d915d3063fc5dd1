import { describe, expect, it, jest } from '@jest/globals';
import { ScheduledClock } from '@screen-advertising/server-kit';

const frozen = () => new ScheduledClock({ isFrozen: true, startAt: 1_000 });

describe('a clock', () => {
  it('runs tasks at their moments, in their order, and waits for their work', async () => {
    const clock = frozen();
    const log: string[] = [];
    const note = (text: string) => log.push(`${text} at ${clock.now()}`);
    clock.schedule(1_030, () => note('last'));
    clock.schedule(1_010, async () => {
      await Promise.resolve();
      note('first');
      clock.schedule(1_020, () => note('added'));
    });
    const cancel = clock.schedule(1_015, () => note('canceled'));
    cancel();
    await clock.advance(29);
    expect(log).toEqual(['first at 1010', 'added at 1020']);
    await clock.advance(1);
    expect(log).toEqual(['first at 1010', 'added at 1020', 'last at 1030']);
  });

  it('asks before each advance, and waits for tracked work', async () => {
    const clock = frozen();
    const work = Promise.withResolvers<void>();
    clock.beforeAdvance(() => void clock.track(work.promise));
    const advanced = clock.advance(5);
    await Promise.resolve();
    expect(clock.now()).toBe(1_000);
    work.reject(new Error('lost'));
    await advanced;
    expect(clock.now()).toBe(1_005);
  });

  it('counts what passed, whatever time it is set to', async () => {
    const clock = frozen();
    await clock.advance(40);
    clock.set(9_000);
    await clock.advance(2);
    expect([clock.now(), clock.elapsedMs]).toEqual([9_002, 42]);
  });

  it('advances by parts of a millisecond, and by no more', async () => {
    const clock = frozen();
    for (let count = 0; count < 8; count += 1) await clock.advance(0.125);
    expect(clock.now()).toBe(1_001);
  });

  it('drops its tasks', async () => {
    const clock = frozen();
    const run = jest.fn();
    clock.schedule(1_001, run);
    clock.clear();
    await clock.advance(10);
    expect(run).not.toHaveBeenCalled();
  });
});

it('a clock that runs follows its ticks, and wakes for a task in months or after it was set', () => {
  jest.useFakeTimers({ now: 0 });
  try {
    const clock = new ScheduledClock({ startAt: 5_000, ticks: () => Date.now() });
    const late = jest.fn();
    clock.schedule(5_000 + 2 ** 31, late);
    jest.advanceTimersByTime(2 ** 31 - 1);
    expect([clock.now(), late.mock.calls.length]).toEqual([5_000 + 2 ** 31 - 1, 0]);
    jest.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(1);
    const due = jest.fn();
    clock.schedule(clock.now() + 60_000, due);
    clock.set(clock.now() + 60_000);
    jest.advanceTimersByTime(0);
    expect(due).toHaveBeenCalledTimes(1);
    clock.freeze();
    const at = clock.now();
    clock.schedule(at + 1, due);
    jest.advanceTimersByTime(1_000);
    expect([clock.now(), due.mock.calls.length]).toEqual([at, 1]);
    clock.run();
    jest.advanceTimersByTime(1);
    expect([clock.now(), due.mock.calls.length]).toEqual([at + 1, 2]);
  } finally {
    jest.useRealTimers();
  }
});
