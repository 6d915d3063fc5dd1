import { describe, expect, it } from '@jest/globals';
import { shareAccess } from '../support/shared-access.ts';

describe('an access of 600 requests a minute', () => {
  it('is fully used by a single process, without a refusal', async () => {
    const { ratio, refused, lost } = await shareAccess({ processes: 1, calls: 1800, seed: 1 });
    expect({ refused, lost }).toEqual({ refused: 0, lost: 0 });
    expect(1 / ratio).toBeGreaterThanOrEqual(0.98);
  });

  it('serves four processes of 500 calls in 1.15 of the ideal, with at most a tenth refused', async () => {
    const { ratio, sent, refused, lost } = await shareAccess({
      processes: 4,
      calls: 500,
      seed: 1,
    });
    expect(lost).toBe(0);
    expect(ratio).toBeLessThanOrEqual(1.15);
    expect(refused / sent).toBeLessThanOrEqual(0.1);
  });
});
