import { fc, it } from '@fast-check/jest';
import { describe, expect } from '@jest/globals';
import { signWebhook, verifySignature, verifyWebhook } from '@screen-advertising/core';
import { attempt } from '../../hostile/webhooks/attacks.ts';
import { cases, seed } from '../../support/tier.ts';
import { loosely, refusalOf, time } from './delivery.ts';

const now = () => time * 1000;
const bytes = fc.uint8Array({ maxLength: 64 });
const body = fc.oneof(bytes, fc.string({ maxLength: 64, unit: 'binary' }));

const header = attempt.map(({ signature }) => signature);

describe('a delivery that nothing signed', () => {
  const anything = fc.anything({ withTypedArray: true, withMap: true, withNullPrototype: true });
  const options = fc.record(
    {
      body: fc.oneof(body, anything),
      signature: fc.oneof(header, anything),
      secrets: fc.oneof(fc.constant(['another secret']), anything),
      toleranceSeconds: fc.oneof(fc.constant(900), anything),
      now: fc.oneof(fc.constant(now), anything),
      scheme: fc.oneof(
        fc.constant(undefined),
        fc.record({ algorithm: anything, signedContent: anything, key: anything }),
        anything,
      ),
    },
    { requiredKeys: [] },
  );

  it.prop([fc.oneof(options, anything)], { numRuns: cases(10_000), seed })(
    'is refused with a typed error, whatever the receiver passes',
    (argument) => {
      expect(refusalOf(() => loosely(verifySignature)(argument))).toBeDefined();
      expect(refusalOf(() => loosely(verifyWebhook)(argument))).toBeDefined();
    },
  );
});

describe('an honest delivery', () => {
  const delivery = fc.record({
    body,
    secret: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    timestamp: fc.integer({ min: 0, max: 99_999_999_999 }),
    late: fc.integer({ min: -900, max: 900 }),
  });

  it.prop([delivery], { numRuns: cases(5000), seed })(
    'is accepted, whatever its body, secret and time',
    ({ body: sent, secret: used, timestamp, late }) => {
      const isText = typeof sent === 'string';
      const received = isText ? new TextEncoder().encode(sent) : sent;
      const signature = signWebhook({ body: sent, secret: used, timestamp });
      const moment = () => (timestamp + late) * 1000;
      expect(() =>
        verifySignature({ body: received, signature, secrets: ['x', used], now: moment }),
      ).not.toThrow();
    },
  );
});
