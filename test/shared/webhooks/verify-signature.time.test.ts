import { describe, expect, it } from '@jest/globals';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import { body, loosely, refusalOf, secret, signature, time, withHeader } from './delivery.ts';

describe('the time of a delivery', () => {
  const arriving = (secondsLater: number, toleranceSeconds?: number) =>
    refusalOf(() =>
      verifySignature({
        body,
        signature,
        secrets: [secret],
        now: () => (time + secondsLater) * 1000,
        ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      }),
    );

  it.each([0, 756, 900, 900.9, -900])('is accepted %p s after it was signed', (seconds) => {
    expect(arriving(seconds)).toBeUndefined();
  });

  it.each([
    [901, '901 s in the past'],
    [-901, '901 s in the future'],
    [-86_400, '86400 s in the future'],
  ])('is refused %p s after it was signed', (seconds, distance) => {
    const refusal = arriving(seconds);
    expect(refusal?.reason).toBe('timestamp_out_of_tolerance');
    expect(refusal?.message).toBe(
      `The delivery was signed ${distance}, but the tolerance is 900 s. If it is not a replay, check the clock of this machine.`,
    );
  });

  it('follows the tolerance of the receiver, both ways', () => {
    expect(arriving(60, 60)).toBeUndefined();
    expect(arriving(61, 60)?.reason).toBe('timestamp_out_of_tolerance');
    expect(arriving(-61, 60)?.reason).toBe('timestamp_out_of_tolerance');
    expect(arriving(0.9, 0)).toBeUndefined();
    expect(arriving(1, 0)?.reason).toBe('timestamp_out_of_tolerance');
  });

  it('refuses milliseconds as too far in the future', () => {
    const header = signWebhook({ body, secret, timestamp: time }).replace(/\d+/, `${time}000`);
    expect(withHeader(header)?.reason).toBe('timestamp_out_of_tolerance');
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '900', null])(
    'is never left unchecked: a tolerance of %p is refused',
    (toleranceSeconds) => {
      const refusal = refusalOf(() =>
        loosely(verifySignature)({ body, signature, secrets: [secret], toleranceSeconds }),
      );
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('toleranceSeconds must be a number of seconds, 0 or more.');
    },
  );

  it.each([() => Number.NaN, () => 'soon', time * 1000])('needs a clock, not %p', (now) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe('now must be a function that returns milliseconds since 1970.');
  });

  it("is the machine's time when no clock is given", () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const fresh = signWebhook({ body, secret, timestamp });
    expect(() => verifySignature({ body, signature: fresh, secrets: [secret] })).not.toThrow();
    const old = signWebhook({ body, secret, timestamp: timestamp - 86_400 });
    expect(
      refusalOf(() => verifySignature({ body, signature: old, secrets: [secret] }))?.reason,
    ).toBe('timestamp_out_of_tolerance');
  });
});
