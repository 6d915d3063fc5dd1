import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redactAll, redactor } from '../../../shared/src/client/redact.ts';
import { formsOf } from '../../support/secret-forms.ts';

describe('redactor', () => {
  it.each([
    ['key svc_abc-123.', [], 'key [redacted]'],
    ['"svc_abc"}', [], '"[redacted]"}'],
    ['authorization: bearer abcdefghijklmnopqrstuvwxyz', [], 'authorization: [redacted]'],
    ['The bearer token is missing', [], 'The bearer token is missing'],
    ['one and one', ['one', ''], '[redacted] and [redacted]'],
    ['(a.b), but not (a-b)', ['a.b'], '([redacted]), but not (a-b)'],
    ['one, one-and-two', ['one', 'one-and-two'], '[redacted], [redacted]'],
    [
      'A short one, QQ==, is a word in base64',
      ['A'],
      '[redacted] short one, QQ==, is [redacted] word in b[redacted]se64',
    ],
  ])('%j with %j', (text, secrets, clean) => {
    expect(redactor(secrets)(text)).toBe(clean);
  });
});

const oddSecret = 'odd/"secret"&<of>\'=+ ?%5C.~!(*)\\ü€😀';

describe.each(['plain-secret_42', 'a secret of words', oddSecret])('the secret %s', (secret) => {
  it.each(Object.entries(formsOf(secret)))('is found %s', (_form, text) => {
    const rest = redactor(['another', secret])(`Before ${text} after`);
    expect(rest).toMatch(/^Before "?[\w+/]{0,20}\[redacted\]"? after$/);
  });
});

it('any secret is found in any form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }), (secret) => {
      const redact = redactor([secret]);
      const forms = Object.entries(formsOf(secret));
      expect(forms.length).toBeGreaterThan(2);
      for (const [form, text] of forms) {
        expect([form, redact(`<${text}>`)]).toEqual([
          form,
          expect.stringMatching(/^<"?[\w+/]{0,20}\[redacted\]"?>$/),
        ]);
      }
    }),
    { seed: 14, numRuns: 100 },
  );
});

it('does not search a long token without an end again and again', () => {
  const token = 'eyJ-a_b.c+d/e=f~'.repeat(100);
  const text = token.slice(0, -1);
  expect(redactor([token])(text)).toBe(text);
  expect(redactor([token])(encodeURIComponent(text))).toBe(encodeURIComponent(text));
});

describe('redactAll', () => {
  it('redacts texts and member names at any depth, and leaves the rest', () => {
    const value = { a: ['secret', { secret: 1, b: null }], c: true, d: 1.5 };
    expect(redactAll(value, redactor(['secret']))).toEqual({
      a: ['[redacted]', { '[redacted]': 1, b: null }],
      c: true,
      d: 1.5,
    });
  });
});
