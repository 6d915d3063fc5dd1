import { describe, expect, it } from '@jest/globals';
import { backoff } from '../../../shared/src/client/recovery.ts';

describe('backoff', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [6, 16_000],
    [7, 20_000],
    [50, 20_000],
  ])('before attempt %i is anything up to %i ms', (attempt, longest) => {
    const pauses = Array.from({ length: 1000 }, () => backoff(attempt));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...pauses)).toBeLessThan(longest * 0.1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(Math.max(...pauses)).toBeGreaterThan(longest * 0.9);
  });
});
