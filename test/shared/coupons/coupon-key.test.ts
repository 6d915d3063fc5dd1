import { describe, expect, it } from '@jest/globals';
import { apiKey, clientCredentials } from '@screen-advertising/core';
import { couponKeyOrSecret } from '@screen-advertising/core/lead-coupons';
import { couponConflict } from '../../../shared/src/coupons/series.ts';
import * as inBrowsers from '../../../shared/src/webhooks/no-node-crypto.ts';
import * as inNode from '../../../shared/src/webhooks/node-crypto.ts';

describe('the key of the codes', () => {
  it.each([
    ['in Node.js', inNode],
    ['in browsers and workers', inBrowsers],
  ])('signs the same %s', async (_where, { hmacSha256 }) => {
    const text = 'The quick brown fox jumps over the lazy dog';
    expect(Buffer.from(await hmacSha256('key', text)).toString('hex')).toBe(
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    );
  });

  const access = apiKey('svc_secret_of_the_access');

  it.each([
    ['a Coupon Key', '  a coupon key of a partner '],
    ['no Coupon Key', ''],
    ['an unset one', undefined],
  ])('is that of the access without one: %s', (_what, given) => {
    expect(couponKeyOrSecret(given, access)).toBe(
      given?.trim() ? 'a coupon key of a partner' : 'svc_secret_of_the_access',
    );
    const clientId = clientCredentials({ clientId: 'partner', clientSecret: 'a client secret' });
    expect(couponKeyOrSecret('', clientId)).toBe('a client secret');
  });

  it('is refused if it is short', () => {
    expect(() => couponKeyOrSecret('fifteen letters', access)).toThrow(
      'The Coupon Key must have at least 16 characters. Choose a long text, and keep it: it finds your coupons again.',
    );
  });
});

it.each([
  ['', 'The code is taken.', 'lead'],
  ['A', 'This e-mail address is not free.', 'lead'],
  ['A', 'This code already exists.', 'code'],
  ['LEAD-1', 'The code LEAD-1 is taken.', 'code'],
  ['A', 'Not possible.', 'either'],
  ['A', 'The code is taken, or the lead has an active coupon.', 'either'],
  [undefined, 'The code is taken.', 'code'],
  [undefined, 'The lead has an active coupon.', 'lead'],
  [undefined, 'Not possible.', 'either'],
])('a conflict over the code %j, in the words "%s", is over: %s', (code, detail, over) => {
  expect(couponConflict({ title: 'Conflict', status: 409, detail }, code)).toBe(over);
});
