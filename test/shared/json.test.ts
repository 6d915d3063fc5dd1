import { fc, it as property } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import { parseJsonExactly } from '../../shared/src/json.ts';

describe('parseJsonExactly', () => {
  it.each([
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567890123', '12345678901234567890123'],
    ['1e400', '1e400'],
    ['1e22', 1e22],
    ['1.5', 1.5],
    ['52.520008123456789', 52.52000812345679],
    ['0', 0],
    ['"9007199254740993"', '9007199254740993'],
  ])('reads %s as %j', (text, value) => {
    expect(parseJsonExactly(text)).toBe(value);
  });

  it('keeps the digits of long numbers anywhere, and changes nothing else', () => {
    const text =
      '{"id": 12345678901234567890, "list": [1, -98765432109876543210], "note": "12345678901234567890 \\"1\\\\", "x": 1e22}';
    expect(parseJsonExactly(text)).toEqual({
      id: '12345678901234567890',
      list: [1, '-98765432109876543210'],
      note: '12345678901234567890 "1\\',
      x: 1e22,
    });
  });

  it('ignores a byte order mark', () => {
    expect(parseJsonExactly('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['', '{', '{"a":}', '01234567890123456789', '{12345678901234567890:1}', 'NaN'])(
    'throws a SyntaxError for %j',
    (text) => {
      expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
    },
  );

  it('keeps a member named __proto__ as data', () => {
    const value = parseJsonExactly('{"__proto__":{"isAdmin":true},"id":12345678901234567890}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'id']);
    expect(value).not.toHaveProperty('isAdmin');
  });

  property.prop([fc.json({ noUnicodeString: false })])(
    'reads what JSON.parse reads, long numbers aside',
    (text) => {
      fc.pre(!/\d{16}|\d[eE]\+?\d{3}/.test(text));
      expect(parseJsonExactly(text)).toEqual(JSON.parse(text));
    },
  );
});
