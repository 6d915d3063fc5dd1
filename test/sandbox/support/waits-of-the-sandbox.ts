import timers from 'node:timers/promises';
import { afterEach, jest } from '@jest/globals';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Records the milliseconds of each real wait of the sandbox from now on, and skips the waits. */
export function waitsOfTheSandbox(): number[] {
  const waits: number[] = [];
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0, value) => {
    waits.push(ms);
    await timers.setImmediate();
    return value;
  });
  return waits;
}
