import { createHmac } from 'node:crypto';
import { signWebhook } from '@screen-advertising/core';
import { now, secret } from './attacks.ts';

/** The body that all these headers are sent with. */
export const body = '{"id":"evt_1","type":"coupon.redeemed","data":{"code":"SPRING-25"}}';
/** The header that the service sends with it. */
export const signature: string = signWebhook({ body, secret, timestamp: now });
const hex: string = signature.slice(-64);

const signed = (t: string) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
const noNumber = ['NaN', `${now}abc`, `${now}.0`, `+${now}`, `-${now}`, '1.8e9', '0x6b49d200'];

/** Headers that no verifier may trust, by what makes each of them unreadable. */
const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'it has no t of 1 to 15 digits': {
    'no t': `v1=${hex}`,
    'a comma': ',',
    't in capitals': `T=${now},v1=${hex}`,
    't without a value': `t,v1=${hex}`,
    ...Object.fromEntries(
      [...noNumber, '9'.repeat(16), '1'.repeat(4000), '१', ''].map((t) => [`t=${t}`, signed(t)]),
    ),
  },
  'it has more than one t': {
    'two headers in one': `${signature}, ${signature}`,
    'the same t twice': `t=${now},${signature}`,
    'an old t behind the right one': `t=${now},t=1,v1=${hex}`,
    'an old t before the right one': `t=1,${signature}`,
  },
  'it has no v1 of 40, 64, 96 or 128 hex digits': {
    'no v1': `t=${now}`,
    'another version': `t=${now},v0=${hex}`,
    'an empty v1': `t=${now},v1=`,
    'a bare v1': `t=${now},v1`,
    'a v1 that is too short': `t=${now},v1=${hex.slice(1)}`,
    'a v1 that is too long': `${signature}0`,
    'a v1 of 64 characters beyond ASCII': `t=${now},v1=${'é'.repeat(64)}`,
    'a v1 whose last digit is not hex': `${signature.slice(0, -1)}g`,
    'a v1 whose first digit is not hex': `t=${now},v1=g${hex.slice(1)}`,
    'a v1 with a space inside': `t=${now},v1= ${hex}`,
    'a v1 in Base64': `t=${now},v1=${Buffer.from(hex, 'hex').toString('base64')}`,
  },
  'it has more than 16 signatures': {
    '17 signatures, the right one among them': `${signature}${',v1=00'.repeat(16)}`,
    'as many signatures as fit': `t=${now}${`,v1=${'0'.repeat(64)}`.repeat(58)}`,
  },
  'it is longer than 4096 characters': {
    'one character too many': signature.padEnd(4097, ','),
    '100,000 signatures': signature + `,v1=${hex}`.repeat(100_000),
    '10,000 timestamps': `t=${now},`.repeat(10_000) + signature,
    '1 MB of a signature': `t=${now},v1=${'a'.repeat(1_000_000)}`,
    '1 MB of commas': ','.repeat(1_000_000),
    '1 MB of white space': `t=${now}${' '.repeat(1_000_000)},v1=${hex}`,
  },
};

export const refusedHeaders: readonly (readonly [what: string, header: string, why: string])[] =
  Object.entries(headers).flatMap(([why, all]) =>
    Object.entries(all).map(([what, header]) => [what.slice(0, 60), header, why] as const),
  );
