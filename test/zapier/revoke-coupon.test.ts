import { expect, it } from '@jest/globals';
import { useService } from './app/use-service.ts';

const service = useService({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });

it('Revoke Coupon returns the revoked coupon', async () => {
  const zapier = await service().connect();
  await zapier.create('create_coupon', {
    code: 'WINTER-26',
    discount_type: 'percent',
    discount_value: 10,
    lead_email: 'lead@example.com',
  });
  const record = await zapier.create('revoke_coupon', { code: 'WINTER-26' });
  expect(record).toEqual({
    code: 'WINTER-26',
    status: 'revoked',
    discount_type: 'percent',
    discount_value: 10,
    discount_value_cents: null,
    lead_email: 'lead@example.com',
    lead_metadata: null,
    max_redemptions: 1,
    redemptions: 0,
    created_at: '2027-03-01T09:00:00.000Z',
    redeemed_at: null,
    revoked_at: '2027-03-01T09:00:00.000Z',
    valid_until: null,
  });
});
