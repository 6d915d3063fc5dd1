import { fc } from '@fast-check/jest';
import { signWebhook } from '@screen-advertising/core';
import { anyCharacter } from '../../support/any-character.ts';

export const secret = 'whsec_shared_by_both_sides';
/** Seconds since 1970: the time of the receiver. */
export const now = 1_800_000_000;
export const toleranceSeconds = 900;

export interface Attempt {
  readonly body: Uint8Array;
  readonly signature: string;
  /** Whether the sender knew the secret and signed this very body within the window. */
  readonly isHonest: boolean;
}

const signed = (body: Uint8Array, timestamp: number, key = secret): string =>
  signWebhook({ body, secret: key, timestamp });

const bytes = fc.uint8Array({ minLength: 1, maxLength: 80 });

/** What the service sends. */
const honest: fc.Arbitrary<Attempt> = fc
  .record({ body: bytes, age: fc.integer({ min: -toleranceSeconds, max: toleranceSeconds }) })
  .map(({ body, age }) => ({ body, signature: signed(body, now - age), isHonest: true }));

/** A delivery whose body was changed, lengthened or shortened on its way. */
const changed: fc.Arbitrary<Attempt> = fc
  .record({
    body: bytes,
    at: fc.nat(),
    bit: fc.integer({ min: 1, max: 255 }),
    added: fc.uint8Array({ minLength: 1, maxLength: 3 }),
    how: fc.nat(2),
  })
  .map(({ body, at, bit, added, how }) => {
    const place = at % body.length;
    const other = [[(body[place] ?? 0) ^ bit], [...added, body[place] ?? 0], []][how] ?? [];
    const forged = [...body.subarray(0, place), ...other, ...body.subarray(place + 1)];
    return { body: Uint8Array.from(forged), signature: signed(body, now), isHonest: false };
  });

/** A delivery of long ago or far ahead, whose signature was real. */
const replayed: fc.Arbitrary<Attempt> = fc
  .record({
    body: bytes,
    age: fc.integer({ min: toleranceSeconds + 1, max: 10_000_000 }),
    isAhead: fc.boolean(),
  })
  .map(({ body, age, isAhead }) => ({
    body,
    signature: signed(body, isAhead ? now + age : now - age),
    isHonest: false,
  }));

/** Another secret, sometimes a near miss of the right one. */
const otherSecret: fc.Arbitrary<Attempt> = fc
  .record({
    body: bytes,
    key: fc.oneof(
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      fc.constantFrom(
        `${secret} `,
        ` ${secret}`,
        secret.slice(0, -1),
        secret.toUpperCase(),
        'undefined',
        'null',
      ),
    ),
  })
  .filter(({ key }) => key !== secret)
  .map(({ body, key }) => ({ body, signature: signed(body, now, key), isHonest: false }));

const piece = fc.oneof(
  fc.constantFrom(
    't',
    'v1',
    'v0',
    '=',
    ',',
    ' ',
    ';',
    `t=${now}`,
    'v1=',
    'T=',
    '\t',
    '\u0000',
    'NaN',
    '-',
    '+',
    '.',
    '1e9',
    '0x1',
  ),
  fc.string({ maxLength: 6, unit: anyCharacter }),
  fc.string({ minLength: 64, maxLength: 64, unit: fc.constantFrom(...'0123456789abcdefABCDEF') }),
  fc.integer().map(String),
);

/** Headers made of the pieces that real ones are made of. */
const invented: fc.Arbitrary<Attempt> = fc
  .record({ body: bytes, pieces: fc.array(piece, { maxLength: 12 }) })
  .map(({ body, pieces }) => ({ body, signature: pieces.join(''), isHonest: false }));

/** A real header whose time, version or order was changed without the secret. */
const tampered: fc.Arbitrary<Attempt> = fc
  .record({
    body: bytes,
    signature: fc.string({
      minLength: 64,
      maxLength: 64,
      unit: fc.constantFrom(...'0123456789abcdef'),
    }),
    how: fc.nat(8),
    at: fc.nat(),
    character: fc.string({ minLength: 1, maxLength: 1, unit: anyCharacter }),
    other: fc.integer({ min: now - 2000, max: now + 2000 }),
  })
  .map(({ body, how, other, signature, at, character }) => {
    const whole = signed(body, now);
    const real = whole.slice(-64);
    const place = at % whole.length;
    const moved = other === now ? now + 1 : other;
    const headers = [
      `t=${moved},v1=${real}`,
      `t=${now},v0=${real}`,
      `t=${now},t=${moved},v1=${real}`,
      `t=${moved},t=${now},v1=${real}`,
      `t=${now}abc,v1=${real}`,
      `t= ${moved},v1=${real}`,
      `t=${now},v1=${signature}`,
      `t=${now},v1=${real.slice(0, 63)}`,
      whole.slice(0, place) + character + whole.slice(place + 1),
    ];
    const sent = headers[how] ?? '';
    // Only the digits may be in upper case.
    const isHonest = sent.startsWith(whole.slice(0, -64)) && sent.toLowerCase() === whole;
    return { body, signature: sent, isHonest };
  });

export const attempt = fc.oneof(honest, changed, replayed, otherSecret, invented, tampered);
