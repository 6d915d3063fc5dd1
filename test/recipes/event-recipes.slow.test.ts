import { expect, it } from '@jest/globals';
import { readQrCode } from '../support/read-qr-code.ts';
import { onPlatforms } from './on-platforms.ts';

const email = 'new.lead@example.com';
const nothing = [{ handedOver: [] }];

onPlatforms('redeemed-coupon-to-spreadsheet', (open, platform) => {
  const code = 'SPRING-25';
  const coupon = { code, discount_value: 25, lead_email: email };

  it('a coupon that is redeemed becomes a row', async () => {
    const { recipe, giveCoupon } = await open();
    await giveCoupon(coupon);
    expect(await recipe.happen('coupon.redeemed', { code })).toMatchObject([
      {
        handedOver: [
          {
            'Event ID': expect.stringMatching(/^evt_/),
            'Redeemed At': expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
            Code: code,
            'Lead Email': email,
            'Discount Type': 'percent',
            'Discount Value': platform === 'n8n' ? '25' : 25,
          },
        ],
      },
    ]);
  });

  it('each redemption becomes a separate row, even when events have no ID', async () => {
    const { sandbox, recipe, giveCoupon } = await open({ eventId: 'absent' });
    await giveCoupon({ ...coupon, max_redemptions: 2 });
    const first = await recipe.happen('coupon.redeemed', { code });
    await sandbox.clock.advance(60_000);
    const second = await recipe.happen('coupon.redeemed', { code });
    const rows = [...first, ...second].flatMap(({ handedOver }) => handedOver);
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map((row) => row['Event ID'])).size).toBe(2);
  });

  it('a coupon that the service does not know becomes a row without its discount', async () => {
    const { sandbox, recipe, giveCoupon } = await open();
    await giveCoupon(coupon);
    sandbox.faults.add({ method: 'GET', path: '/coupons/*', fault: 'status', status: 404 });
    const row = { Code: code, 'Discount Type': '', 'Discount Value': '' };
    const runs = await recipe.happen('coupon.redeemed', { code });
    expect(runs).toMatchObject([{ handedOver: [row] }]);
    expect(runs[0]).not.toHaveProperty('failure');
  });
});

onPlatforms('screens-near-new-lead', (open) => {
  const request = { id: 'cr_0900', email, city: 'Berlin' };

  it('a lead gets the screens near their city and a link by email, nearest first', async () => {
    const { sandbox, recipe } = await open();
    const here = { city: 'Berlin', latitude: 52.52, longitude: 13.405, used_sov_pct: 0 };
    sandbox.screens.add({ ...here, id: 'scr_here', name: 'Tower' });
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
    const { sandbox, recipe } = await open();
    for (const { id, city } of sandbox.screens.list()) {
      if (city === 'Berlin') sandbox.screens.remove(id);
    }
    for (const city of ['Atlantis', '', 'Berlin']) {
      const fields = { ...request, id: `cr_${city}`, city };
      expect(await recipe.happen('campaign_request.created', fields)).toEqual(nothing);
    }
  });
});

onPlatforms('paid-campaign-to-chat', (open, platform) => {
  it('a paid campaign becomes a message with its amount in units of the currency', async () => {
    const { recipe } = await open();
    const channel = platform === 'Zapier' && { Channel: 'sales' };
    const text = 'Campaign cmp_0900 was paid: 12.5.';
    const paid = { campaign_id: 'cmp_0900', amount_cents: 1250 };
    expect(await recipe.happen('campaign.paid', paid)).toEqual([
      { handedOver: [{ ...channel, 'Message Text': text }] },
    ]);
  });
});

onPlatforms('tell-chat-about-relay-problems', (open, platform) => {
  it('a subscription that is switched off becomes a message that names it, and an event nothing', async () => {
    const { recipe } = await open();
    const message = expect.stringMatching(/^"CRM" \(127\.0\.0\.1:9\) gets no more events: /);
    const channel = platform === 'Zapier' && { Channel: 'operations' };
    expect(await recipe.relayHasProblem()).toEqual([
      { handedOver: [{ ...channel, 'Message Text': message }] },
    ]);
    expect(await recipe.happen('campaign.paid', { campaign_id: 'cmp_1' })).toEqual([]);
  });
});

onPlatforms('welcome-coupon-for-referred-user', (open, platform, again) => {
  const registered = { user_id: 'usr_0100', email };
  const code = 'WELCOME-usr_0100';
  const mail = {
    To: email,
    Subject: 'Welcome! Here is 20% off your first campaign',
    Body: `Your code is ${code}.`,
  };

  it('a user you referred gets one coupon by email, even if the event is delivered again', async () => {
    const { sandbox, recipe } = await open();
    const first = await recipe.happen('user.registered', registered);
    expect(first).toEqual([{ handedOver: [mail] }]);
    // Only a replay in n8n sends a second email.
    expect(await recipe.deliverAgain()).toEqual(again(first));
    expect(sandbox.coupons.list()).toMatchObject([
      { code, discount_type: 'percent', discount_value: 20, lead_email: email },
    ]);
  });

  it('a new run, after one that broke down, ends with the one coupon', async () => {
    const { sandbox, recipe, giveCoupon } = await open();
    await giveCoupon({ code, discount_value: 20, lead_email: email });
    const runs = await recipe.happen('user.registered', registered);
    // On Zapier a person replays the run from the step that failed.
    expect(runs).toEqual(platform === 'n8n' ? [{ handedOver: [mail] }] : nothing);
    expect(sandbox.coupons.list()).toHaveLength(1);
  });

  it('a user you did not refer, or whom the service does not know, gets nothing', async () => {
    const { sandbox, recipe } = await open();
    const other = sandbox.users.list().find(({ referredBy }) => referredBy === null);
    const stranger = { user_id: 'usr_0101', email: other?.email };
    expect(await recipe.happen('user.registered', stranger)).toEqual(nothing);
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

onPlatforms('win-back-after-rejected-request', (open, platform) => {
  const rejected = { id: 'cr_0900', email };
  const code = 'COMEBACK-cr_0900';

  it('a lead whom the service does not know gets a coupon and a link by email, once', async () => {
    const { sandbox, recipe } = await open();
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.handedOver).toMatchObject([{ To: email, Subject: 'Try again with 15% off' }]);
    expect(run?.handedOver[0]?.Body).toMatch(
      /^Your code is COMEBACK-cr_0900\. Start here: http.*utm_campaign=win_back&utm_content=COMEBACK-cr_0900/,
    );
    const later = { id: 'cr_0901', email };
    expect(await recipe.happen('campaign_request.rejected', later)).toEqual(nothing);
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

  if (platform === 'n8n') {
    it('requests without an ID do not share a code', async () => {
      const { sandbox, recipe } = await open();
      for (const lead of ['one@example.com', 'other@example.com']) {
        await recipe.happen('campaign_request.rejected', { id: undefined, email: lead });
      }
      expect(new Set(sandbox.coupons.list().map((coupon) => coupon.code)).size).toBe(2);
    });
  }

  it('without a link, no coupon is created', async () => {
    const { sandbox, recipe } = await open();
    sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links' });
    const [run] = await recipe.happen('campaign_request.rejected', rejected);
    expect(run?.failure).toMatch(/service rejected the request \(400\)/);
    expect(sandbox.coupons.list()).toEqual([]);
  });
});
