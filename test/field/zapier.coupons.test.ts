import { describe, expect, it } from '@jest/globals';
import { useService } from '../zapier/app/use-service.ts';

const service = useService();

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const before = 'Nothing was created: the lead had this coupon before.';

describe('an owner of Zaps', () => {
  it('has a step run again after the coupon was redeemed, with a new expiry: reads that it is over', async () => {
    const zapier = await service().connect();
    const first = await zapier.create('create_coupon', coupon);
    service().sandbox.coupons.redeem(String(first.code));
    const again = { ...coupon, valid_until: '2027-03-31' };
    expect(await zapier.create('create_coupon', again)).toMatchObject({
      code: first.code,
      status: 'redeemed',
      created: false,
      coupon_note: `${before} It is over: its status is redeemed. Whether the lead has another coupon is not known.`,
    });
  });

  it('maps an empty ID into the prefix of two leads: each gets a coupon', async () => {
    const zapier = await service().connect();
    const codes = [];
    for (const lead_email of ['a@example.com', 'b@example.com']) {
      const input = { ...coupon, lead_email, code_prefix: 'WELCOME-' };
      codes.push((await zapier.create('create_coupon', input)).code);
    }
    expect(codes).toEqual([
      expect.stringMatching(/^WELCOME-[2-9A-HJ-NP-Z]{10}$/),
      expect.stringMatching(/^WELCOME-[2-9A-HJ-NP-Z]{10}$/),
    ]);
    expect(codes[0]).not.toBe(codes[1]);
  });
});

describe('a user of the editor', () => {
  it("asks why last week's coupon does not work: finds it by its lead, with its status", async () => {
    const zapier = await service().connect();
    const { code } = await zapier.create('create_coupon', coupon);
    service().sandbox.coupons.redeem(String(code));
    const [found] = await zapier.search('find_coupon', { lead_email: ' LEAD@example.com' });
    expect(found).toMatchObject({ code, status: 'redeemed' });
    const spring = { lead_email: 'lead@example.com', code_prefix: 'SPRING-' };
    expect(await zapier.search('find_coupon', spring)).toEqual([]);
  });
});
