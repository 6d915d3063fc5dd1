import { expect, it } from '@jest/globals';
import { shownName } from '../../../packages/relay/src/operator/parts/values.ts';

it.each([
  ['Welcome (n8n 78f143b330f302bf)', 'Welcome (n8n)'],
  ['Welcome (n8n, test 78f143b330f302bf)', 'Welcome (n8n, test)'],
  ['Zapier: Coupon Redeemed', 'Zapier: Coupon Redeemed'],
  ['A workflow (n8n)', 'A workflow (n8n)'],
  [null, null],
])('%j is shown as %j', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});
