import { expect, it } from '@jest/globals';
import { couponConflict } from '../../../shared/src/coupons/series.ts';

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
