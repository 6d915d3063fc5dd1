import { expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { useService } from './app/use-service.ts';

const service = useService();

/** A day beside or of a change to or from summer time, and how Zapier hands it over in a zone. */
const days: readonly (readonly [zone: string, day: string, handedOver: string])[] = [
  ['Europe/Berlin', '2027-03-28', '2027-03-28T00:00:00+01:00'],
  ['America/Los_Angeles', '2027-11-07', '2027-11-07T00:00:00-07:00'],
  ['Pacific/Auckland', '2027-04-04', '2027-04-04T00:00:00+13:00'],
];

it.each(days)(
  'a paid campaign makes a coupon of its amount, and the chat names both: in %s, until %s',
  async (zone, day, handedOver) => {
    const secret = 'whsec_of_this_test';
    const zapier = await service().connect({ fields: { signing_secret: secret } });
    const paid = {
      campaign_id: 'cmp_1',
      user_id: 'usr_1',
      amount_cents: 1250,
      paid_at: `${day}T23:30:00Z`,
    };
    const content = JSON.stringify({ id: 'evt_1', type: 'campaign.paid', data: paid });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signWebhook({ body: content, secret, timestamp });
    const [event = {}] = await zapier.hook('campaign_paid_manual_setup', {
      headers: { 'X-Service-Signature': signature },
      content,
    });
    const { amount, campaign_id } = event.data as Record<string, unknown>;

    const inputData = {
      discount_type: 'amount_cents',
      discount_value: amount,
      lead_email: 'lead@example.com',
      code_prefix: 'THANKS',
      valid_until: handedOver,
    };
    const inputDataRaw = {
      ...inputData,
      valid_until: '{{2__output}}',
      discount_value: '{{1__data__amount}}',
    };
    const step = { inputData, inputDataRaw, meta: { timezone: zone } };
    const place = 'creates.create_coupon.operation.perform';
    const coupon = (await zapier.run(place, step)) as Record<string, unknown>;

    const { discount_value, code, valid_until } = coupon;
    expect(
      `Campaign ${campaign_id} paid ${amount}. Coupon ${code}: ${discount_value} until ${valid_until}.`,
    ).toBe(`Campaign cmp_1 paid 12.5. Coupon THANKSFKLRSBZAXE: 12.5 until ${day}.`);
    const found = await zapier.search('find_coupon', { code, only_active: true });
    expect(found).toEqual([
      expect.objectContaining({ discount_value: 12.5, discount_value_cents: 1250 }),
    ]);
    const { data } = service().sandbox.snapshot();
    expect(JSON.stringify(data.coupons)).toContain('"discount_value":1250');

    // Zapier ran the step again: the same coupon, and not a second one.
    expect(await zapier.run(place, step)).toMatchObject({ code, created: false });
  },
);
