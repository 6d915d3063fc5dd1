import { describe, expect, it } from '@jest/globals';
import { backoff, RetryQuota, retryPolicy } from '../../../shared/src/client/retry.ts';

describe('backoff', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [6, 16_000],
    [7, 20_000],
    [50, 20_000],
  ])('before try %i is anything up to %i ms', (attempt, longest) => {
    const pauses = Array.from({ length: 1000 }, () => backoff(attempt));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...pauses)).toBeLessThan(longest * 0.1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longest);
    expect(Math.max(...pauses)).toBeGreaterThan(longest * 0.9);
  });
});

describe('RetryQuota', () => {
  const spend = (quota: RetryQuota): number => {
    let retries = 0;
    while (quota.take()) retries += 1;
    return retries;
  };

  it('allows 20 retries in a row', () => {
    expect(spend(new RetryQuota())).toBe(20);
  });

  it('allows another one for 5 successes, and never more than 20', () => {
    const quota = new RetryQuota();
    spend(quota);
    for (let success = 0; success < 4; success += 1) quota.earn();
    expect(quota.take()).toBe(false);
    quota.earn();
    expect(quota.take()).toBe(true);
    for (let success = 0; success < 1000; success += 1) quota.earn();
    expect(spend(quota)).toBe(20);
  });
});

describe('retryPolicy', () => {
  it.each([
    [undefined, { attempts: 4, maxWaitMs: 180_000 }],
    [{}, { attempts: 4, maxWaitMs: 180_000 }],
    [{ attempts: 2 }, { attempts: 2, maxWaitMs: 180_000 }],
    [{ maxWaitMs: 0 }, { attempts: 4, maxWaitMs: 0 }],
    [false as const, { attempts: 1, maxWaitMs: 0 }],
  ])('of %j is %j', (given, policy) => {
    expect(retryPolicy(given)).toEqual(policy);
  });
});
