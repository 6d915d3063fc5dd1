import { describe, expect, it } from '@jest/globals';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import { body, hmac, loosely, refusalOf, secret, signature, time } from './delivery.ts';

describe('a scheme that differs from the assumption', () => {
  const now = () => time * 1000;

  it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)('may use %s', (algorithm) => {
    const header = signWebhook({ body, secret, timestamp: time, algorithm });
    expect(header).toBe(`t=${time},v1=${hmac(`${time}.${body}`, algorithm)}`);
    const options = { body, signature: header, secrets: [secret], now };
    expect(() => verifySignature({ ...options, algorithm })).not.toThrow();
    const other = algorithm === 'sha256' ? 'sha512' : 'sha256';
    expect(refusalOf(() => verifySignature({ ...options, algorithm: other }))?.reason).toBe(
      'malformed_signature',
    );
  });

  it('may sign other content', () => {
    const signedContent = (_timestamp: string, raw: Uint8Array | string) => [raw];
    const header = `t=${time},v1=${hmac(body)}`;
    expect(signWebhook({ body, secret, timestamp: time, signedContent })).toBe(header);
    const options = { body, signature: header, secrets: [secret], now };
    expect(() => verifySignature({ ...options, signedContent })).not.toThrow();
    expect(refusalOf(() => verifySignature(options))?.reason).toBe('signature_mismatch');
  });

  it.each(['md5', 'toString', '', 256, null, ['sha256']])('must not use %j', (algorithm) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now, algorithm }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe('algorithm must be one of sha1, sha256, sha384, sha512.');
  });

  it.each<[string, unknown, string]>([
    ['no function', 't.body', 'signedContent must be a function that returns the signed parts.'],
    ['a text', () => body, 'signedContent must return a list of strings or bytes.'],
    ['other parts', () => [time, body], 'signedContent must return a list of strings or bytes.'],
  ])('must name its content as parts, not %s', (_name, signedContent, message) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body, signature, secrets: [secret], now, signedContent }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(message);
  });
});
