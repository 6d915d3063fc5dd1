import { describe, expect, it } from '@jest/globals';
import { ScreenAdvertisingError, verifySignature } from '@screen-advertising/core';
import {
  body,
  hex,
  hmac,
  honest,
  loosely,
  refusalOf,
  signature,
  time,
  utf8,
  verify,
  withHeader,
} from './delivery.ts';

describe('an honest delivery', () => {
  it.each<[string, Uint8Array | string]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['a plain Uint8Array', utf8(body)],
    ['a view into a larger buffer', Buffer.from(`##${body}##`).subarray(2, -2)],
    ['an empty text', ''],
    ['empty bytes', new Uint8Array(0)],
    ['bytes that are not UTF-8', Uint8Array.from([0xff, 0x00, 0xc3, 0x28])],
    ['text beyond ASCII', '{"city":"Łódź 🎬"}'],
    ['text that holds the replacement character', '{"city":"\uFFFD"}'],
  ])('is accepted as %s', (_name, raw) => {
    expect(() => verify(honest(raw))).not.toThrow();
  });

  it('is the same as text and as its bytes', () => {
    expect(() => verify({ body: utf8(body), signature })).not.toThrow();
  });

  it.each([
    ['a space after the comma', `t=${time}, v1=${hex}`],
    ['white space around the header', ` t=${time},v1=${hex}\t`],
    ['upper-case hex', `t=${time},v1=${hex.toUpperCase()}`],
    ['the other order', `v1=${hex},t=${time}`],
    ['a scheme this version does not know', `t=${time},v0=${'0'.repeat(64)},v1=${hex},v2=x`],
    ['a wrong v1 before the right one', `t=${time},v1=${'0'.repeat(64)},v1=${hex}`],
    ['a wrong v1 after the right one', `t=${time},v1=${hex},v1=${'0'.repeat(64)}`],
    ['an unreadable v1 before the right one', `t=${time},v1=,v1=nothing,v1,v1=${hex}`],
    ['sixteen signatures', `t=${time},${'v1=00,'.repeat(15)}v1=${hex}`],
    ['an empty element', `t=${time},,v1=${hex},`],
    ['4096 characters', signature.padEnd(4096, ',')],
  ])('is accepted with %s in the header', (_name, header) => {
    expect(withHeader(header)).toBeUndefined();
  });

  it('signs the timestamp exactly as in the header', () => {
    expect(withHeader(`t=0${time},v1=${hmac(`0${time}.${body}`)}`)).toBeUndefined();
    expect(withHeader(`t=0${time},v1=${hex}`)?.reason).toBe('signature_mismatch');
  });
});

describe('the error', () => {
  it('is one of this package, with a code and a reason for programs', () => {
    const refusal = withHeader(undefined);
    expect(ScreenAdvertisingError.isInstance(refusal)).toBe(true);
    expect(refusal?.name).toBe('WebhookVerificationError');
    expect(refusal?.code).toBe('webhook_verification_failed');
    expect(refusal?.isRetryable).toBe(false);
  });

  it.each<[unknown]>([[undefined], [null], ['options'], [[]]])(
    'says what is missing in the options %j',
    (options) => {
      const refusal = refusalOf(() => loosely(verifySignature)(options));
      expect(refusal?.reason).toBe('invalid_argument');
      expect(refusal?.message).toBe('verifySignature needs an object of options.');
    },
  );
});
