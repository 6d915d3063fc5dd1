import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { apiKey } from '@screen-advertising/core';
import { RetryQuota, sharedAccess } from '../../../shared/src/client/shared-access.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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

describe('the state of an access', () => {
  const hour = 3_600_000;
  const baseUrl = 'https://service.example/api/v1';
  const open = (clock: SimulatedClock, key = 'svc_a') =>
    sharedAccess(clock, baseUrl, apiKey(key), { requests: 600, perMs: 60_000 });
  /** Opens an access without holding it. */
  const release = (clock: SimulatedClock, isUsed: boolean) => {
    const access = open(clock);
    if (isUsed) access.use();
    return new WeakRef(access.quota);
  };
  const isFreed = async (state: WeakRef<object>) => {
    await nextTurn();
    collect();
    await nextTurn();
    return state.deref() === undefined;
  };

  it('is freed when no client holds it and it was never used', async () => {
    expect(await isFreed(release(new SimulatedClock(), false))).toBe(true);
  });

  it('stays for an hour after its last use', async () => {
    const clock = new SimulatedClock();
    const state = release(clock, true);
    expect(await isFreed(state)).toBe(false);
    await clock.advance(hour + 1);
    open(clock, 'svc_b').use();
    expect(await isFreed(state)).toBe(true);
  });
});
