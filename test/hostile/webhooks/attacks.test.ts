import crypto from 'node:crypto';
import { fc } from '@fast-check/jest';
import { describe, expect, it, jest } from '@jest/globals';
import { verifySignature, WebhookVerificationError } from '@screen-advertising/core';
import { loosely, refusalOf as refused } from '../../shared/webhooks/delivery.ts';
import { cases, seed } from '../../support/tier.ts';
import { type Attempt, attempt, now, secret, toleranceSeconds } from './attacks.ts';
import { body, refusedHeaders, signature } from './refused-headers.ts';

/** `accepted`, the reason for a refusal, or an undeclared error. */
function verdict({ body, signature }: Attempt): string {
  const options = { secrets: [secret], toleranceSeconds, now: () => now * 1000 };
  try {
    verifySignature({ body, signature, ...options });
    return 'accepted';
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : `untyped: ${error}`;
  }
}

const refusalOf = (header: unknown) =>
  refused(() =>
    loosely(verifySignature)({ body, signature: header, secrets: [secret], now: () => now * 1000 }),
  );

it('of all attempts to be taken for the service, only those that it signed are accepted', () => {
  const runs = cases(100_000);
  let accepted = 0;
  fc.assert(
    fc.property(attempt, (one) => {
      const found = verdict(one);
      if (found === 'accepted') accepted += 1;
      expect([found === 'accepted', found.startsWith('untyped')]).toEqual([one.isHonest, false]);
    }),
    { numRuns: runs, seed },
  );
  expect(accepted).toBeGreaterThan(runs / 10);
});

describe('a header that cannot be trusted', () => {
  it.each(refusedHeaders)('is refused without hashing the body: %s', (_what, header, why) => {
    const hash = jest.spyOn(crypto, 'createHmac');
    const refusal = refusalOf(header);
    expect([refusal?.reason, refusal?.message, hash.mock.calls]).toEqual([
      'malformed_signature',
      `The header x-service-signature cannot be read: ${why}. Expected t=<unix seconds>,v1=<hex>.`,
      [],
    ]);
  });

  it.each([undefined, null, ''])('is missing when it is %j', (header) => {
    expect(refusalOf(header)).toMatchObject({
      reason: 'missing_signature',
      message:
        'The delivery has no x-service-signature header, so it did not come from the service.',
    });
  });

  it('is refused when it arrived twice', () => {
    expect(refusalOf([signature, signature])?.message).toContain('it was sent more than once');
  });

  it.each([42, {}, new Map(), Symbol('header'), () => signature])(
    'must be text, not %p',
    (header) => {
      expect(refusalOf(header)).toMatchObject({
        reason: 'invalid_argument',
        message: 'signature must be the text of the header x-service-signature.',
      });
    },
  );
});
