import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from './eventually.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

it('ends after 30 s, and says what did not happen', async () => {
  let seconds = 0;
  const never = () => {
    seconds += 1;
    jest.advanceTimersByTime(1_000);
    return false;
  };
  await expect(eventually(never, 'the event arrived')).rejects.toThrow(
    'Not within 30 s: the event arrived',
  );
  expect(seconds).toBe(30);
});

it('takes a condition that holds at last', async () => {
  let asked = 0;
  await eventually(async () => ++asked === 3, 'asked three times');
  expect(asked).toBe(3);
});
