import { describe, expect, it } from '@jest/globals';
import { settingsOf } from '../../../shared/src/client/options.ts';

describe('the retries of a client', () => {
  it.each([
    [undefined, { attempts: 4, maxWaitMs: 180_000 }],
    [{}, { attempts: 4, maxWaitMs: 180_000 }],
    [{ attempts: 2 }, { attempts: 2, maxWaitMs: 180_000 }],
    [{ maxWaitMs: 0 }, { attempts: 4, maxWaitMs: 0 }],
    [false as const, { attempts: 1, maxWaitMs: 0 }],
  ])('of %j is %j', (given, policy) => {
    const options = given === undefined ? {} : { retry: given };
    expect(settingsOf(options).retry).toEqual(policy);
  });
});
