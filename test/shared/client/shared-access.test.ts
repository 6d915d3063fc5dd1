import { describe, expect, it } from '@jest/globals';
import { RetryQuota } from '../../../shared/src/client/shared-access.ts';

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
