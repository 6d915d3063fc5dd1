import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any Unicode character. The units of fast-check list all million of them first, in each file. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (position) =>
    String.fromCodePoint(position < surrogates.first ? position : position + surrogates.count),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : -1;
    if (code < 0 || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);
