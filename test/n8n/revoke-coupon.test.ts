import { expect, it } from '@jest/globals';
import { useWorld } from './world.ts';

const world = useWorld({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });

it('Coupon: Revoke outputs the revoked coupon', async () => {
  await world.items({
    resource: 'coupon',
    operation: 'create',
    discount_value: 10,
    lead_email: 'lead@example.com',
    additionalFields: { code: 'WINTER-26' },
  });
  const [item] = await world.items({ resource: 'coupon', operation: 'revoke', code: 'WINTER-26' });
  expect(item).toEqual({
    json: {
      code: 'WINTER-26',
      status: 'revoked',
      discount_type: 'percent',
      discount_value: 10,
      lead_email: 'lead@example.com',
      max_redemptions: 1,
      redemptions: 0,
      created_at: '2027-03-01T09:00:00.000Z',
      redeemed_at: null,
      revoked_at: '2027-03-01T09:00:00.000Z',
      valid_until: null,
    },
    pairedItem: { item: 0 },
  });
});
