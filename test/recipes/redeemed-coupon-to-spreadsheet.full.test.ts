import { expect, it } from '@jest/globals';
import { onPlatforms } from './on-platforms.ts';

const coupon = { code: 'SPRING-25', discount_value: 25, lead_email: 'lead@example.com' };
const { code } = coupon;

onPlatforms('redeemed-coupon-to-spreadsheet', (open, platform, again) => {
  it('a coupon that is redeemed becomes a row', async () => {
    const { recipe, giveCoupon } = await open();
    await giveCoupon(coupon);
    const [run] = await recipe.happen('coupon.redeemed', { code });
    expect(run?.handedOver).toMatchObject([
      {
        'Event ID': expect.stringMatching(/^evt_/),
        'Redeemed At': expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        Code: code,
        'Lead Email': 'lead@example.com',
        'Discount Type': 'percent',
        'Discount Value': platform === 'n8n' ? '25' : 25,
      },
    ]);
  });

  it('an event that is delivered again adds no second row, unless n8n runs a replay', async () => {
    const { recipe, giveCoupon } = await open();
    await giveCoupon(coupon);
    const first = await recipe.happen('coupon.redeemed', { code });
    expect(await recipe.deliverAgain()).toEqual(again(first));
  });

  it.each(['id', 'absent'] as const)(
    'each redemption becomes a separate row, with the ID of events %s',
    async (eventId) => {
      const { sandbox, recipe, giveCoupon } = await open({ eventId });
      await giveCoupon({ ...coupon, max_redemptions: 2 });
      const first = await recipe.happen('coupon.redeemed', { code });
      await sandbox.clock.advance(60_000);
      const second = await recipe.happen('coupon.redeemed', { code });
      const rows = [...first, ...second].flatMap(({ handedOver }) => handedOver);
      expect(rows).toHaveLength(2);
      expect(new Set(rows.map((row) => row['Event ID'])).size).toBe(2);
    },
  );

  it('a coupon that the service does not know becomes a row without its discount', async () => {
    const { sandbox, recipe, giveCoupon } = await open();
    await giveCoupon(coupon);
    sandbox.faults.add({ method: 'GET', path: '/coupons/*', fault: 'status', status: 404 });
    const [run] = await recipe.happen('coupon.redeemed', { code });
    expect(run).toMatchObject({
      handedOver: [{ Code: code, 'Discount Type': '', 'Discount Value': '' }],
    });
    expect(run?.failure).toBeUndefined();
  });
});
