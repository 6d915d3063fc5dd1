import { createHmac } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import type { DeliveryScheme, SignatureScheme } from '@screen-advertising/core/webhooks';
import * as withoutNode from '../../../shared/src/webhooks/no-node-crypto.ts';
import { headerOf, schemeSecret } from '../../support/signature-schemes.ts';
import { body, hmac, loosely, refusalOf, secret, time, utf8 } from './delivery.ts';

describe('signWebhook', () => {
  it('gives the value of X-Service-Signature, from the first to the last time', () => {
    for (const timestamp of [0, time, 99_999_999_999]) {
      const expected = `t=${timestamp},v1=${hmac(`${timestamp}.${body}`)}`;
      expect(signWebhook({ body, secret, timestamp })).toBe(expected);
      expect(signWebhook({ body: utf8(body), secret, timestamp })).toBe(expected);
    }
  });

  it('signs now, unless it gets a time', () => {
    jest.spyOn(Date, 'now').mockReturnValueOnce(time * 1000 + 999);
    expect(signWebhook({ body, secret })).toBe(signWebhook({ body, secret, timestamp: time }));
  });

  const seconds = 'timestamp must be whole seconds since 1970, not milliseconds.';
  it.each<[Record<string, unknown>, string]>([
    [{ timestamp: time * 1000 }, seconds],
    [{ timestamp: 1.5 }, seconds],
    [{ timestamp: -1 }, seconds],
    [{ timestamp: 100_000_000_000 }, seconds],
    [{ secret: '' }, 'secret must be text that is not empty.'],
    [
      { body: undefined },
      "body must be the raw bytes or text of the request, read before a JSON parser runs. If it is empty, pass ''.",
    ],
    [{ secrets: [] }, 'signWebhook has no option secrets, only body, secret, scheme, timestamp.'],
    [
      { scheme: { signed_content: '{body}' } },
      'scheme has no option signed_content, only algorithm, signedContent, key.',
    ],
    [
      { scheme: { algorithm: 'md5' } },
      'scheme.algorithm must be one of sha1, sha256, sha384, sha512.',
    ],
  ])('refuses %j', (wrong, message) => {
    expect(
      refusalOf(() => loosely(signWebhook)({ body, secret, timestamp: time, ...wrong })),
    ).toMatchObject({ reason: 'invalid_argument', message });
  });

  it('requires options', () => {
    expect(refusalOf(() => loosely(signWebhook)())?.message).toBe(
      'signWebhook needs an object of options.',
    );
  });
});

describe('a scheme set in code', () => {
  const at = time;
  const sha512: DeliveryScheme = { algorithm: 'sha512', signedContent: '{body}', key: 'hex' };
  const assumed: DeliveryScheme = { algorithm: 'sha256', signedContent: '{t}.{body}', key: 'text' };
  const options = { body, secrets: [schemeSecret], now: () => at * 1000 };
  const pinned = (signature: string, scheme: SignatureScheme) =>
    verifySignature({ ...options, signature, scheme });

  it('is the only one that is accepted', () => {
    const signature = headerOf(sha512, at, body);
    expect(pinned(signature, sha512)).toEqual(sha512);
    for (const other of [{}, { algorithm: 'sha512' }, { ...sha512, key: 'text' }] as const) {
      expect(refusalOf(() => pinned(signature, other))?.reason).toBe('signature_mismatch');
    }
    expect(refusalOf(() => pinned(headerOf(assumed, at, body), sha512))?.reason).toBe(
      'signature_mismatch',
    );
  });

  it('may sign other content, by a template or a function, and a body of any form', () => {
    const bars = { signedContent: '{t}|{body}|{t}' };
    const lines = (t: string, raw: Uint8Array | string) => [raw, '\n', t];
    for (const scheme of [bars, { signedContent: lines }]) {
      const signature = signWebhook({ body: 'text', secret: schemeSecret, timestamp: at, scheme });
      const content = scheme === bars ? `${at}|text|${at}` : `text\n${at}`;
      expect(signature.slice(-64)).toBe(
        createHmac('sha256', schemeSecret).update(content).digest('hex'),
      );
      expect(verifySignature({ ...options, body: 'text', signature, scheme }).signedContent).toBe(
        String(scheme.signedContent),
      );
    }
  });

  const content =
    'scheme.signedContent must be a template with {body} once, such as {t}.{body}, or a function that returns a list of strings and bytes.';
  it.each<[unknown, string]>([
    [null, 'scheme needs an object of options.'],
    ['sha512', 'scheme needs an object of options.'],
    [{ algorithm: 'md5' }, 'scheme.algorithm must be one of sha1, sha256, sha384, sha512.'],
    [{ algorithm: null }, 'scheme.algorithm must be one of sha1, sha256, sha384, sha512.'],
    [{ key: 'toString' }, 'scheme.key must be one of text, unprefixed, base64, hex.'],
    [{ signedContent: '{t}' }, content],
    [{ signedContent: '{body}{body}' }, content],
    [{ signedContent: 42 }, content],
    [{ signedContent: () => body }, content],
    [{ signedContent: () => [time, body] }, content],
  ])('must be possible, not %j', (scheme, message) => {
    const signature = `t=${at},v1=${'0'.repeat(64)}`;
    const refusal = refusalOf(() => loosely(verifySignature)({ ...options, signature, scheme }));
    expect([refusal?.reason, refusal?.message]).toEqual(['invalid_argument', message]);
  });

  it('cannot sign with a secret that its key cannot be read from', () => {
    for (const secret of ['no hex', 'abc', 'zzab', 'abzz']) {
      const sign = () => signWebhook({ body, secret, timestamp: at, scheme: { key: 'hex' } });
      expect(refusalOf(sign)?.message).toBe('secret cannot be read as hex.');
    }
    expect(refusalOf(() => pinned(headerOf(assumed, at, body), { key: 'hex' }))?.reason).toBe(
      'signature_mismatch',
    );
  });
});

it.each([
  [withoutNode.createHmac, 'This runtime has no node:crypto. Use verifyRequest for requests.'],
  [
    withoutNode.createHash,
    'This runtime has no node:crypto. Use verifyRequest, which returns the key of the event.',
  ],
])('without Node.js, %p refers to verifyRequest', (hash, message) => {
  expect(refusalOf(() => hash())).toMatchObject({ reason: 'invalid_argument', message });
});
