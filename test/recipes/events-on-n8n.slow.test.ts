import { describe, expect, it } from '@jest/globals';
import { start } from '../relay/support/running-relay.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { openRecipe } from './open-recipe.ts';

const email = 'new.lead@example.com';
const nothing = [{ handedOver: [] }];

describe('redeemed-coupon-to-spreadsheet', () => {
  const open = (options = {}) => openRecipe('redeemed-coupon-to-spreadsheet', options);

  const code = 'SPRING-25';
  const coupon = { code, discount_value: 25, lead_email: email };

  it('a coupon that is redeemed becomes a row', async () => {
    const recipe = await open();
    await recipe.giveCoupon(coupon);
    expect(await recipe.happen('coupon.redeemed', { code })).toMatchObject([
      {
        handedOver: [
          {
            'Event ID': expect.stringMatching(/^evt_/),
            'Redeemed At': expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
            Code: code,
            'Lead Email': email,
            'Discount Type': 'percent',
            'Discount Value': '25',
          },
        ],
      },
    ]);
  });

  it('each redemption becomes a separate row, even when events have no ID', async () => {
    const recipe = await open({ variants: { eventId: 'absent' } });
    await recipe.giveCoupon({ ...coupon, max_redemptions: 2 });
    const first = await recipe.happen('coupon.redeemed', { code });
    await recipe.sandbox.clock.advance(60_000);
    const second = await recipe.happen('coupon.redeemed', { code });
    const rows = [...first, ...second].flatMap(({ handedOver }) => handedOver);
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map((row) => row['Event ID'])).size).toBe(2);
  });

  it('a coupon that the service does not know becomes a row without its discount', async () => {
    const recipe = await open();
    await recipe.giveCoupon(coupon);
    recipe.sandbox.faults.add({ method: 'GET', path: '/coupons/*', fault: 'status', status: 404 });
    const row = { Code: code, 'Discount Type': '', 'Discount Value': '' };
    const runs = await recipe.happen('coupon.redeemed', { code });
    expect(runs).toMatchObject([{ handedOver: [row] }]);
    expect(runs[0]).not.toHaveProperty('failure');
  });
});

describe('screens-near-new-lead', () => {
  const open = (options = {}) => openRecipe('screens-near-new-lead', options);

  const request = { id: 'cr_0900', email, city: 'Berlin' };

  it('a lead gets the screens near their city and a link by email, nearest first', async () => {
    const recipe = await open();
    const here = { city: 'Berlin', latitude: 52.52, longitude: 13.405, used_sov_pct: 0 };
    recipe.sandbox.screens.add({ ...here, id: 'scr_here', name: 'Tower' });
    const [run] = await recipe.happen('campaign_request.created', request);
    const [mail] = run?.handedOver ?? [];
    expect(mail).toMatchObject({ To: email, Subject: 'Screens near you' });
    expect(mail?.Body).toMatch(
      /^Near you: Tower \(0 km\).*\. Start here: http.*utm_campaign=screens_nearby&utm_content=cr_0900/,
    );
    const [picture = new File([], '')] = run?.files ?? [];
    const link = await readQrCode({ mimeType: picture.type, bytes: await picture.bytes() });
    expect(mail?.Body).toContain(`Start here: ${link}`);
  });

  it('a lead from no known city, or without a screen nearby, gets no email and no error', async () => {
    const recipe = await open();
    for (const { id, city } of recipe.sandbox.screens.list()) {
      if (city === 'Berlin') recipe.sandbox.screens.remove(id);
    }
    for (const city of ['Atlantis', '', 'Berlin']) {
      const fields = { ...request, id: `cr_${city}`, city };
      expect(await recipe.happen('campaign_request.created', fields)).toEqual(nothing);
    }
  });
});

it('paid-campaign-to-chat: a paid campaign becomes a message with its amount in units of the currency', async () => {
  const recipe = await openRecipe('paid-campaign-to-chat');
  const paid = { campaign_id: 'cmp_0900', amount_cents: 1250 };
  expect(await recipe.happen('campaign.paid', paid)).toEqual([
    { handedOver: [{ 'Message Text': 'Campaign cmp_0900 was paid: 12.5.' }] },
  ]);
});

it('tell-chat-about-relay-problems: a subscription that is switched off becomes a message that names it', async () => {
  // Receivers compare the time of a signature with their own clock.
  const { relay, url, key, call } = await start({ startAt: Date.now() });
  const { connectorKey } = key;
  const recipe = await openRecipe('tell-chat-about-relay-problems', {
    relay: { baseUrl: url, connectorKey },
  });
  await call('PUT', '/subscriptions', {
    target_url: recipe.url,
    events: ['relay.subscription_off'],
  });
  const crm = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name: 'CRM' };
  const { body } = await call('PUT', '/subscriptions', crm);
  const runs = await recipe.runsOf(async () => {
    await relay.operate('subscriptions.change', { id: body.id, state: 'off', source: 'main' });
    await relay.clock.advance(1_000);
  });
  const message = expect.stringMatching(/^"CRM" \(127\.0\.0\.1:9\) gets no more events: /);
  expect(runs).toEqual([{ handedOver: [{ 'Message Text': message }] }]);
});

describe('thank-you-coupon-after-paid-campaign', () => {
  const open = () => openRecipe('thank-you-coupon-after-paid-campaign');

  const code = expect.stringMatching(/^THANKS-[2-9A-HJ-NP-Z]{10}$/);

  async function paidBy(recipe: Awaited<ReturnType<typeof open>>, user_id: string) {
    return await recipe.happen('campaign.paid', { user_id, campaign_id: 'cmp_1' });
  }

  it('the first two events at once both run, though only one can create the table', async () => {
    const recipe = await open();
    const users = [
      { user_id: 'usr_0298', email: 'first@example.com' },
      { user_id: 'usr_0299', email: 'second@example.com' },
    ];
    const runs = await recipe.runsOf(() =>
      Promise.all(users.map((user) => recipe.sandbox.fire('user.registered', user))),
    );
    expect(runs).toEqual([...nothing, ...nothing]);
    for (const user of users) {
      const [run] = await paidBy(recipe, user.user_id);
      expect(run?.handedOver).toMatchObject([{ To: user.email }]);
    }
  });

  it('a user who registered gets one coupon by email when a campaign is paid', async () => {
    const recipe = await open();
    const user = { user_id: 'usr_0300', email };
    expect(await recipe.happen('user.registered', user)).toEqual(nothing);
    const [run] = await paidBy(recipe, 'usr_0300');
    const [coupon] = recipe.sandbox.coupons.list();
    expect(coupon).toMatchObject({
      code,
      discount_type: 'percent',
      discount_value: 10,
      lead_email: email,
    });
    expect(run).toEqual({
      handedOver: [
        {
          To: email,
          Subject: 'Thank you! Here is 10% off your next campaign',
          Body: `Your code is ${coupon?.code}.`,
        },
      ],
    });
    expect(await paidBy(recipe, 'usr_0300')).toEqual(nothing);
    expect(recipe.sandbox.coupons.list()).toHaveLength(1);
  });

  it('a user whose address is unknown gets nothing, and one who registers again is reached at the new address', async () => {
    const recipe = await open();
    expect(await paidBy(recipe, 'usr_0301')).toEqual(nothing);
    for (const address of ['old@example.com', 'new@example.com']) {
      await recipe.happen('user.registered', { user_id: 'usr_0301', email: address });
    }
    expect(await paidBy(recipe, 'usr_0301')).toMatchObject([
      { handedOver: [{ To: 'new@example.com' }] },
    ]);
  });

  it('a user with an active coupon gets no second one, and another failure fails the run', async () => {
    const recipe = await open();
    await recipe.happen('user.registered', { user_id: 'usr_0302', email });
    await recipe.giveCoupon({ code: 'EARLIER', lead_email: email });
    expect(await paidBy(recipe, 'usr_0302')).toEqual(nothing);
    expect(recipe.sandbox.coupons.list()).toMatchObject([{ code: 'EARLIER' }]);
    recipe.sandbox.faults.add({ fault: 'status', status: 403, path: '/coupons' });
    expect(await paidBy(recipe, 'usr_0302')).toEqual([
      { handedOver: [], failure: expect.stringMatching(/coupons/) },
    ]);
  });
});

describe('welcome-coupon-for-referred-user', () => {
  const open = (options = {}) => openRecipe('welcome-coupon-for-referred-user', options);

  const registered = { user_id: 'usr_0100', email };
  /** Made from the lead's address with the sandbox's key. */
  const code = 'WELCOME-UM5VVDE9TT';
  const mail = {
    To: email,
    Subject: 'Welcome! Here is 20% off your first campaign',
    Body: `Your code is ${code}.`,
  };

  it('a user you referred gets one coupon by email', async () => {
    const recipe = await open();
    expect(await recipe.happen('user.registered', registered)).toEqual([{ handedOver: [mail] }]);
    expect(recipe.sandbox.coupons.list()).toMatchObject([
      { code, discount_type: 'percent', discount_value: 20, lead_email: email },
    ]);
  });

  it('a new run, after one that broke down, ends with the one coupon', async () => {
    const recipe = await open();
    await recipe.giveCoupon({ code, discount_value: 20, lead_email: email });
    expect(await recipe.happen('user.registered', registered)).toEqual([{ handedOver: [mail] }]);
    expect(recipe.sandbox.coupons.list()).toHaveLength(1);
  });

  it('a user you did not refer, or whom the service does not know, gets nothing', async () => {
    const recipe = await open();
    const other = recipe.sandbox.users.list().find(({ referredBy }) => referredBy === null);
    const stranger = { user_id: 'usr_0101', email: other?.email };
    expect(await recipe.happen('user.registered', stranger)).toEqual(nothing);
    const body = JSON.stringify({ data: { exists: false } });
    recipe.sandbox.faults.add({ fault: 'status', status: 200, path: '/users/lookup', body });
    expect(await recipe.happen('user.registered', registered)).toEqual(nothing);
    expect(recipe.sandbox.coupons.list()).toEqual([]);
  });

  it('a user with an active coupon gets no second one, and the run stops without an error', async () => {
    const recipe = await open();
    await recipe.giveCoupon({ code: 'EARLIER', lead_email: email });
    expect(await recipe.happen('user.registered', registered)).toEqual(nothing);
    expect(recipe.sandbox.coupons.list()).toMatchObject([{ code: 'EARLIER' }]);
  });

  it('a coupon that cannot be created fails the run, so that a person sees it', async () => {
    const recipe = await open();
    recipe.sandbox.faults.add({ fault: 'status', status: 403, method: 'POST', path: '/coupons' });
    expect(await recipe.happen('user.registered', registered)).toEqual([
      { handedOver: [], failure: expect.stringMatching(/coupons:write/) },
    ]);
  });
});

describe('win-back-after-rejected-request', () => {
  const open = (options = {}) => openRecipe('win-back-after-rejected-request', options);

  const rejected = { id: 'cr_0900', email };
  const code = 'COMEBACK-HPCXYB2M8E';

  it('a lead whom the service does not know gets one coupon, and a link for each request by email', async () => {
    const recipe = await open();
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.handedOver).toMatchObject([{ To: email, Subject: 'Try again with 15% off' }]);
    expect(run?.handedOver[0]?.Body).toMatch(
      /^Your code is COMEBACK-HPCXYB2M8E\. Start here: http.*utm_campaign=win_back&utm_content=cr_0900/,
    );
    const later = { id: 'cr_0901', email };
    const [again] = await recipe.happen('campaign_request.rejected', later);
    expect(again?.handedOver[0]?.Body).toMatch(
      /^Your code is COMEBACK-HPCXYB2M8E\. Start here: http.*utm_content=cr_0901/,
    );
    expect(recipe.sandbox.coupons.list()).toMatchObject([
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
    const recipe = await open();
    recipe.sandbox.users.add({ email, has_bookings: history === 'has booked' });
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.handedOver).toHaveLength(coupons);
    expect(run?.failure).toBeUndefined();
    expect(recipe.sandbox.coupons.list()).toHaveLength(coupons);
  });

  it('requests without an ID do not share a code', async () => {
    const recipe = await open();
    for (const lead of ['one@example.com', 'other@example.com']) {
      await recipe.happen('campaign_request.rejected', { id: undefined, email: lead });
    }
    expect(new Set(recipe.sandbox.coupons.list().map((coupon) => coupon.code)).size).toBe(2);
  });

  it('without a link, no coupon is created', async () => {
    const recipe = await open();
    recipe.sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links' });
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.failure).toMatch(/service rejected the request \(400\)/);
    expect(recipe.sandbox.coupons.list()).toEqual([]);
  });
});
