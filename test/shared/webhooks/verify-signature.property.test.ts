import { fc, it } from '@fast-check/jest';
import { describe, expect } from '@jest/globals';
import { signWebhook, verifySignature, verifyWebhook } from '@screen-advertising/core';
import { cases, seed } from '../../support/tier.ts';
import { honest, loosely, refusalOf, secret, time, verify } from './delivery.ts';

const now = () => time * 1000;
const bytes = fc.uint8Array({ maxLength: 64 });
const body = fc.oneof(bytes, fc.string({ maxLength: 64, unit: 'binary' }));

/** Real signatures, but of another secret, another body or another time. */
const stolen = fc
  .record({ body: fc.oneof(fc.constant('{}'), bytes), secret: fc.string({ minLength: 1 }) })
  .map((signed) => ({ ...signed, secret: `${signed.secret}!` }))
  .map((signed) => signWebhook({ ...signed, timestamp: time }).slice(-64));

const element = fc.oneof(
  fc.constant(`t=${time}`),
  fc.integer().map((t) => `t=${t}`),
  fc.string({ maxLength: 12 }).map((t) => `t=${t}`),
  stolen.map((hex) => `v1=${hex}`),
  fc.string({ maxLength: 70 }).map((text) => `v1=${text}`),
  fc
    .string({ minLength: 64, maxLength: 64, unit: fc.constantFrom(...'0aF') })
    .map((v) => `v1=${v}`),
  fc.string({ maxLength: 8 }),
);

const header = fc.oneof(
  { weight: 2, arbitrary: fc.array(element, { maxLength: 5 }).map((all) => all.join(',')) },
  { weight: 2, arbitrary: stolen.map((hex) => `t=${time},v1=${hex}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 100, unit: 'binary' }) },
);

describe('a sender without the secret', () => {
  it.prop([header, body], { numRuns: cases(100_000), seed })(
    `is refused with a typed error, over ${cases(100_000)} headers and bodies`,
    (signature, received) => {
      const refusal = refusalOf(() => verify({ body: received, signature }));
      expect(refusal).toBeDefined();
    },
  );

  const anything = fc.anything({ withTypedArray: true, withMap: true, withNullPrototype: true });
  const options = fc.record(
    {
      body: fc.oneof(body, anything),
      signature: fc.oneof(header, anything),
      secrets: fc.oneof(fc.constant([secret]), anything),
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

describe('a delivery changed in transit', () => {
  const sent = new TextEncoder().encode('{"id":"evt_1","type":"campaign.paid"}');
  const { signature } = honest(sent);

  it.prop([fc.nat(sent.length - 1), fc.integer({ min: 1, max: 255 })], {
    numRuns: cases(5000),
    seed,
  })('is refused when one byte of the body differs', (position, difference) => {
    const changed = Uint8Array.from(sent);
    changed[position] = (changed[position] ?? 0) ^ difference;
    expect(refusalOf(() => verify({ body: changed, signature }))?.reason).toBe(
      'signature_mismatch',
    );
  });

  it.prop([fc.nat(sent.length), fc.uint8Array({ minLength: 1, maxLength: 3 })], {
    numRuns: cases(2000),
    seed,
  })('is refused when bytes are added to the body', (position, added) => {
    const changed = Uint8Array.from([
      ...sent.subarray(0, position),
      ...added,
      ...sent.subarray(position),
    ]);
    expect(refusalOf(() => verify({ body: changed, signature }))?.reason).toBe(
      'signature_mismatch',
    );
  });

  it.prop([fc.nat(sent.length - 1)], { seed })(
    'is refused when a byte of the body is missing',
    (position) => {
      const changed = sent.filter((_byte, index) => index !== position);
      expect(refusalOf(() => verify({ body: changed, signature }))?.reason).toBe(
        'signature_mismatch',
      );
    },
  );

  it.prop(
    [fc.nat(signature.length - 1), fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })],
    {
      numRuns: cases(5000),
      seed,
    },
  )('is refused when one character of the header differs', (position, character) => {
    const isSame = signature.charAt(position).toLowerCase() === character.toLowerCase();
    fc.pre(!isSame);
    const changed = signature.slice(0, position) + character + signature.slice(position + 1);
    expect(refusalOf(() => verify({ body: sent, signature: changed }))).toBeDefined();
  });
});
