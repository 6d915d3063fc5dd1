import { expect, it } from '@jest/globals';
import { onPlatforms } from './on-platforms.ts';

const email = 'new.user@example.com';
const registered = { user_id: 'usr_0100', email };
const code = 'WELCOME-usr_0100';
const mail = {
  To: email,
  Subject: 'Welcome! Here is 20% off your first campaign',
  Body: `Your code is ${code}.`,
};
const nothing = [{ handedOver: [] }];

onPlatforms('welcome-coupon-for-referred-user', (open, platform, again) => {
  it('a user you referred gets a coupon by email', async () => {
    const { sandbox, recipe } = await open();
    expect(await recipe.happen('user.registered', registered)).toEqual([{ handedOver: [mail] }]);
    expect(sandbox.coupons.list()).toMatchObject([
      { code, discount_type: 'percent', discount_value: 20, lead_email: email },
    ]);
  });

  it('an event that is delivered again creates no second coupon, and only a replay in n8n a second email', async () => {
    const { sandbox, recipe } = await open();
    const first = await recipe.happen('user.registered', registered);
    expect(await recipe.deliverAgain()).toEqual(again(first));
    expect(sandbox.coupons.list()).toHaveLength(1);
  });

  it('a new run, after one that broke down, ends with the one coupon', async () => {
    const { sandbox, recipe, giveCoupon } = await open();
    await giveCoupon({ code, discount_value: 20, lead_email: email });
    const runs = await recipe.happen('user.registered', registered);
    // On Zapier a person replays the run from the step that failed.
    expect(runs).toEqual(platform === 'n8n' ? [{ handedOver: [mail] }] : nothing);
    expect(sandbox.coupons.list()).toHaveLength(1);
  });

  it('a user you did not refer gets nothing', async () => {
    const { sandbox, recipe } = await open();
    const other = sandbox.users.list().find(({ referredBy }) => referredBy === null);
    const event = { user_id: 'usr_0100', email: other?.email };
    expect(await recipe.happen('user.registered', event)).toEqual(nothing);
    expect(sandbox.coupons.list()).toEqual([]);
  });

  it('an address that the service does not know gets nothing', async () => {
    const { sandbox, recipe } = await open();
    const body = JSON.stringify({ data: { exists: false } });
    sandbox.faults.add({ fault: 'status', status: 200, path: '/users/lookup', body });
    expect(await recipe.happen('user.registered', registered)).toEqual(nothing);
    expect(sandbox.coupons.list()).toEqual([]);
  });

  it('a user with an active coupon gets no second one, and the run stops without an error', async () => {
    const { sandbox, recipe, giveCoupon } = await open();
    await giveCoupon({ code: 'EARLIER', lead_email: email });
    expect(await recipe.happen('user.registered', registered)).toEqual(nothing);
    expect(sandbox.coupons.list()).toMatchObject([{ code: 'EARLIER' }]);
  });

  it('a coupon that cannot be created fails the run, so that a person sees it', async () => {
    const { sandbox, recipe } = await open();
    sandbox.faults.add({ fault: 'status', status: 403, method: 'POST', path: '/coupons' });
    expect(await recipe.happen('user.registered', registered)).toEqual([
      { handedOver: [], failure: expect.stringMatching(/coupons:write/) },
    ]);
  });
});
