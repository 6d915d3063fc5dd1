import { describe, expect, it } from '@jest/globals';
import { redact, redactAll } from '../../../shared/src/client/redact.ts';

describe('redact', () => {
  it.each([
    ['key svc_abc-123.', [], 'key [redacted]'],
    ['"svc_abc"}', [], '"[redacted]"}'],
    ['authorization: bearer abcdefghijklmnopqrstuvwxyz', [], 'authorization: [redacted]'],
    ['The bearer token is missing', [], 'The bearer token is missing'],
    ['one and one', ['one', ''], '[redacted] and [redacted]'],
    ['(a.b)', ['a.b'], '([redacted])'],
  ])('%j with %j', (text, secrets, clean) => {
    expect(redact(text, secrets)).toBe(clean);
  });
});

describe('redactAll', () => {
  it('reaches texts and names of members at any depth, and leaves the rest', () => {
    const value = { a: ['secret', { secret: 1, b: null }], c: true, d: 1.5 };
    expect(redactAll(value, ['secret'])).toEqual({
      a: ['[redacted]', { '[redacted]': 1, b: null }],
      c: true,
      d: 1.5,
    });
  });
});
