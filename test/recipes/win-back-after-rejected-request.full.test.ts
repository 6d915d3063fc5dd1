import { expect, it } from '@jest/globals';
import { onPlatforms } from './on-platforms.ts';

const email = 'lead.without.bookings@example.com';
const rejected = { id: 'cr_0900', email };
const code = 'COMEBACK-cr_0900';
const nothing = [{ handedOver: [] }];

onPlatforms('win-back-after-rejected-request', (open, platform, again) => {
  it('a lead whom the service does not know gets a coupon and a link by email', async () => {
    const { sandbox, recipe } = await open();
    expect(await recipe.happen('campaign_request.rejected', rejected)).toEqual([
      {
        handedOver: [
          {
            To: email,
            Subject: 'Try again with 15% off',
            Body: expect.stringMatching(
              `^Your code is ${code}. Start here: http.*utm_campaign=win_back&utm_content=${code}`,
            ),
          },
        ],
      },
    ]);
    expect(sandbox.coupons.list()).toMatchObject([
      {
        code,
        discount_type: 'percent',
        discount_value: 15,
        lead_email: email,
        lead_metadata: { campaign_request: 'cr_0900' },
      },
    ]);
  });

  it.each([
    ['has not booked yet', 1],
    ['has booked', 0],
  ])('a user who %s gets %i coupons', async (history, coupons) => {
    const { sandbox, recipe } = await open();
    sandbox.users.add({ email, has_bookings: history === 'has booked' });
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.handedOver).toHaveLength(coupons);
    expect(run?.failure).toBeUndefined();
    expect(sandbox.coupons.list()).toHaveLength(coupons);
  });

  it('an event that is delivered again creates no second coupon, and only a replay in n8n a second email', async () => {
    const { sandbox, recipe } = await open();
    const first = await recipe.happen('campaign_request.rejected', rejected);
    expect(await recipe.deliverAgain()).toEqual(again(first));
    expect(sandbox.coupons.list()).toHaveLength(1);
  });

  it('a second request of the same lead creates no second coupon, and stops without an error', async () => {
    const { sandbox, recipe } = await open();
    await recipe.happen('campaign_request.rejected', rejected);
    const later = { id: 'cr_0901', email };
    expect(await recipe.happen('campaign_request.rejected', later)).toEqual(nothing);
    expect(sandbox.coupons.list()).toMatchObject([{ code }]);
  });

  if (platform === 'n8n') {
    it('requests without an ID do not share a code', async () => {
      const { sandbox, recipe } = await open();
      for (const lead of ['one@example.com', 'other@example.com']) {
        const event = { id: undefined, email: lead };
        const [run] = await recipe.happen('campaign_request.rejected', event);
        expect(run?.handedOver).toHaveLength(1);
      }
      expect(new Set(sandbox.coupons.list().map((coupon) => coupon.code)).size).toBe(2);
    });
  }

  it('without a link, no coupon is created', async () => {
    const { sandbox, recipe } = await open();
    sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links' });
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.failure).toMatch(/landing link/i);
    expect(sandbox.coupons.list()).toEqual([]);
  });
});
