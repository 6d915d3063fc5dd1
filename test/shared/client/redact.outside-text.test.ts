import { fc } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import { outsideText, visibleText } from '@screen-advertising/core/platform';
import { formsIn, formsOf } from '../../support/secret-forms.ts';
import { cases, seed } from '../../support/tier.ts';

const secrets = [
  'rly_0123456789-abc.whsec_c2VjcmV0',
  'ünder/cover "secret" & <of> words',
  'plain_42-x',
];
const encoded = secrets.flatMap((secret) => Object.values(formsOf(secret)));
/** Once the text is on one line, these are the same. */
const broken = encoded.filter((form) => / /.test(form)).map((form) => form.replaceAll(' ', '\n '));
const forms = [...encoded, ...broken];

const unsafe = [
  0, 7, 0x0a, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0xfeff, 0xd800,
  0xe0041,
];
const noise = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...unsafe.map((code) => String.fromCodePoint(code))),
  fc.constantFrom(' ', '\t\n', '=', '&', '"'),
);
const text = fc
  .array(fc.oneof(noise, fc.constantFrom(...forms)), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('text from outside', () => {
  it('shows no secret in any encoding and no invisible character, and is bounded', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 400 }), (given, maxLength) => {
        const shown = outsideText(given, { secrets, maxLength });
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown.length).toBeLessThanOrEqual(maxLength + 1);
        expect(formsIn(shown, ...secrets)).toEqual([]);
      }),
      { numRuns: cases(100_000), seed },
    );
  });

  it.each([
    ['a\u001b[31mb\u009bc', 'a\\u001b[31mb\\u009bc'],
    ['evil\u202egpj.exe', 'evil\\u202egpj.exe'],
    ['line\r\n\u2028 two\u0085', 'line two'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half \ud83d', 'half \ufffd'],
    ['Zürich 😀', 'Zürich 😀'],
  ])('%j is shown as %j', (given, shown) => {
    expect(visibleText(given)).toBe(shown);
    expect(outsideText(given)).toBe(shown);
  });

  it('is cut at 300 characters, and 7 MB of it cost no more than one search', () => {
    expect(outsideText('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
    expect(outsideText(`${' '.repeat(7_000_000)}x`)).toBe('');
  });
});
