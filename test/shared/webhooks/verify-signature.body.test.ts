import { describe, expect, it } from '@jest/globals';
import { verifySignature } from '@screen-advertising/core';
import {
  body,
  honest,
  loosely,
  refusalOf,
  secret,
  signature,
  time,
  utf8,
  verify,
} from './delivery.ts';

it('a signed body in an ArrayBuffer is accepted', () => {
  const buffer = Uint8Array.from(utf8(body)).buffer;
  verifySignature({ body: buffer, signature, secrets: [secret], now: () => time * 1000 });
});

describe('a body that was not signed', () => {
  const plain =
    /^The signature matches none of the signing secrets(, in any known scheme)?\. Check that the secret belongs to this access and that nothing changed the body\.$/;

  it.each<[string, Uint8Array | string, Uint8Array | string]>([
    ['another body', body, '{"type":"campaign.free"}'],
    ['a byte order mark before it', body, `\uFEFF${body}`],
    [
      'the bytes of a byte order mark before it',
      utf8(body),
      Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8(body)]),
    ],
    [
      'other bytes that decode to the same text',
      Uint8Array.from([0x22, 0xff, 0x22]),
      Uint8Array.from([0x22, 0xfe, 0x22]),
    ],
    ['its own JSON in another form', '{ "type": "campaign.paid" }', body],
    ['a line feed behind it', body, `${body}\n`],
    ['an empty body', body, ''],
  ])('is refused: %s', (_name, signed, received) => {
    const refusal = refusalOf(() => verify({ ...honest(signed), body: received }));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toMatch(plain);
  });

  const lossy =
    'The signature matches none of the signing secrets. Decoding changed the body: pass its bytes instead of text. Check that the secret belongs to this access and that nothing changed the body.';

  it('hints at bytes when the text lost some of them', () => {
    const bytes = Uint8Array.from([0x22, 0xff, 0x22]);
    const decoded = new TextDecoder().decode(bytes);
    expect(refusalOf(() => verify({ ...honest(bytes), body: decoded }))?.message).toBe(lossy);
  });

  it.each(['{"type":"campaign.paid"}', '{\n  "type": "campaign.paid"\n}'])(
    'hints at base64, as AWS Lambda passes it: %j',
    (sent) => {
      const received = Buffer.from(sent).toString('base64');
      expect(refusalOf(() => verify({ ...honest(sent), body: received }))?.message).toBe(
        'The signature matches none of the signing secrets. The body is still in base64: decode it first. Check that the secret belongs to this access and that nothing changed the body.',
      );
    },
  );

  it('is refused when it only looks alike as UTF-8: half a surrogate pair', () => {
    const refusal = refusalOf(() => verify({ ...honest('"\uFFFD"'), body: '"\uD800"' }));
    expect(refusal?.reason).toBe('signature_mismatch');
    expect(refusal?.message).toBe(lossy);
  });

  it.each([undefined, null])('is required when it is %p', (received) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body: received, signature, secrets: [secret] }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(
      'body is missing. Pass the raw body of the request; an empty body is an empty string.',
    );
  });

  it.each<[string, unknown]>([
    ['a parsed object', JSON.parse(body)],
    ['a list', []],
    ['a number', 1],
    ['an empty Map', new Map()],
    ['a function', () => body],
  ])('must be raw, not %s', (_name, received) => {
    const refusal = refusalOf(() =>
      loosely(verifySignature)({ body: received, signature, secrets: [secret] }),
    );
    expect(refusal?.reason).toBe('invalid_argument');
    expect(refusal?.message).toBe(
      'body must be the raw bytes or text of the request, not a parsed object. If a JSON parser runs first, read the raw body before it: a parsed object no longer shows what was signed.',
    );
  });
});
