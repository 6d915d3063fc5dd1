import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { definitionOf, inputFieldsOf, visiblePartsOf } from '../app/definition.ts';
import { status, useService } from '../app/use-service.ts';
import type { ZapierRunner } from '../app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = useService();
let zapier: ZapierRunner;

// The first request of a run says it all: the run stops there.
beforeEach(async () => {
  zapier = await service().connect();
  service().sandbox.faults.add(status(400));
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-03-01T12:00:00Z'));
});

/** The first request of a run; `nothing` when the step refuses its input. */
async function sentBy(place: string, inputData: Fields): Promise<string> {
  service().sandbox.journal.clear();
  await zapier.run(`${place}.operation.perform`, { inputData }).catch(() => undefined);
  const [first] = service().sandbox.journal.list();
  if (!first) return 'nothing';
  const { method, path, requestBody } = first;
  return [method, path.replace(/^\/api\/v1/, ''), requestBody].filter(Boolean).join(' ');
}

const qrCode = {
  qr_code: 'png',
  qr_code_size: '300',
  qr_code_quiet_zone: '4',
  qr_code_error_correction: 'high',
};
const coupon = { discount_type: 'percent', discount_value: '25', lead_email: 'lead@example.com' };
const sentCoupon = '"discount_type":"percent","discount_value":25,"lead_email":"lead@example.com"';
/** Made from the lead with the key of the access. */
const leadCode = '"code":"KD5YB8ZRQL"';
const where = { country: 'DE', city: 'Berlin', orientation: 'landscape', bbox: '13,52,14,53' };
const sentWhere = 'country=DE&city=Berlin&orientation=landscape&bbox=13%2C52%2C14%2C53';
/** The app itself compares names, distances, prices, shares and statuses. */
const near = { near: '52.5200, 13.4050', radius_km: '5' };
const march = { from: '2027-03-01', to: '2027-03-31' };
const sentMarch = 'from=2027-03-01&to=2027-03-31';
/** From the time of these tests. */
const week = { next_days: '7' };
const sentWeek = 'from=2027-03-01&to=2027-03-07';
const change = { change: 'rises_above', share_pct: '25' };
const request = { status: 'rejected', industry: 'retail', ...march };
const sentRequest = `status=rejected&${sentMarch}&industry=retail`;

/** Every field of every form, as Zapier hands it over, and the first request of the run. */
const cases: readonly (readonly [place: string, input: Fields, request: string])[] = [
  [
    'creates.create_coupon',
    {
      ...{ ...coupon, code: 'SPRING-25', max_redemptions: '3', valid_until: '2027-03-31' },
      ...{ if_code_exists: 'return', ...qrCode, qr_code_text: 'https://shop.example/{code}' },
    },
    `POST /coupons {${sentCoupon},"code":"SPRING-25","max_redemptions":3,"valid_until":"2027-03-31"}`,
  ],
  [
    'creates.create_coupon',
    {
      ...{ ...coupon, code_prefix: 'WELCOME-', if_lead_had_one: 'create' },
      lead_metadata_json: '{"crm_id":"42"}',
    },
    `POST /coupons {${sentCoupon},"code":"WELCOME-2YCD9PDFES","lead_metadata":{"crm_id":"42"}}`,
  ],
  [
    'creates.create_coupon',
    { ...coupon, without_code: 'service' },
    `POST /coupons {${sentCoupon}}`,
  ],
  ['creates.revoke_coupon', { code: 'SPRING-25' }, 'POST /coupons/SPRING-25/revoke'],
  [
    'creates.create_landing_link',
    {
      ...{ utm_campaign: 'a', utm_source: 'b', utm_content: 'c', utm_term: 'd' },
      ...{ utm_source_platform: 'e', ...qrCode },
    },
    'POST /landing-links {"utm_campaign":"a","utm_source":"b","utm_content":"c","utm_term":"d","utm_source_platform":"e"}',
  ],
  ['searches.find_screen', { screen_id: 'scr_1' }, 'GET /screens/scr_1'],
  ['searches.find_screen', where, `GET /screens?${sentWhere}&limit=50`],
  [
    'searches.find_screen',
    { name: 'Central', city: 'Berlin' },
    'GET /screens?city=Berlin&limit=200',
  ],
  ['searches.find_screen', { ...near, sort_by: 'cheapest' }, 'GET /screens?limit=200'],
  [
    'searches.find_screen_availability',
    { screen_id: 'scr_1', ...march },
    `GET /screens/scr_1/availability?${sentMarch}`,
  ],
  [
    'searches.find_screen_availability',
    { screen_id: 'scr_1', ...week },
    `GET /screens/scr_1/availability?${sentWeek}`,
  ],
  [
    'searches.find_coupon',
    {
      ...{ code: 'SPRING-25', only_active: 'true', lead_email: 'lead@example.com' },
      ...{ ...qrCode, qr_code_text: 'https://shop.example/{code}' },
    },
    'GET /coupons/SPRING-25',
  ],
  [
    'searches.find_coupon',
    { lead_email: 'lead@example.com', code_prefix: 'WELCOME-' },
    'GET /coupons/WELCOME-2YCD9PDFES',
  ],
  [
    'searches.find_user',
    { email: 'lead@example.com' },
    'GET /users/lookup?email=lead%40example.com',
  ],
  ['searches.find_user', { vat_uid: 'DE123' }, 'GET /users/lookup?vat_uid=DE123'],
  ['searches.find_campaign_request', { id: 'cr_1' }, 'GET /campaign-requests/cr_1'],
  ['searches.find_campaign_request', request, `GET /campaign-requests?${sentRequest}`],
  [
    'searches.find_available_screens',
    { ...where, ...march, min_available_sov_pct: '20', budget_cents: '4000' },
    `GET /screens?${sentWhere}&limit=200`,
  ],
  [
    'searches.find_available_screens',
    { ...near, ...week, sort_by: 'nearest' },
    'GET /screens?limit=200',
  ],
  [
    'triggers.new_campaign_request',
    { ...march, industry: 'retail' },
    `GET /campaign-requests?${sentMarch}&industry=retail`,
  ],
  [
    'triggers.campaign_request_status_changed',
    request,
    `GET /campaign-requests?${sentMarch}&industry=retail`,
  ],
  ['triggers.new_screen', where, `GET /screens?${sentWhere}&limit=200`],
  ['triggers.new_screen', near, 'GET /screens?limit=200'],
  [
    'triggers.screen_availability_changed',
    { ...change, ...march, ...where },
    `GET /screens?${sentWhere}&limit=200`,
  ],
  [
    'triggers.screen_availability_changed',
    { ...change, ...week, ...near },
    'GET /screens?limit=200',
  ],
];

it.each(cases)('%s sends %j', async (place, input, sent) => {
  expect(await sentBy(place, input)).toBe(sent);
});

it('these are all fields of all forms, but pairs of keys and values, the kind of area, and what to do if a condition is empty', async () => {
  const asked = visiblePartsOf(await definitionOf('public'))
    .flatMap(inputFieldsOf)
    .filter(({ dict, key }) => !dict && !/^(area|when_empty)$/.test(key));
  const given = cases.flatMap(([place, input]) =>
    Object.keys(input).map((key) => `${place}.${key}`),
  );
  expect([...new Set(given)].toSorted()).toEqual(asked.map(({ place }) => place).toSorted());
});

it.each(cases)('%s leaves out white space around the values of %j', async (place, input, sent) => {
  const spaced = Object.entries(input).map(([key, value]) => [key, `\t ${value}\u00a0\n`]);
  expect(await sentBy(place, Object.fromEntries(spaced))).toBe(sent);
});

it.each(cases)('%s takes white space and null in %j for not filled in', async (place, input) => {
  const differing: unknown[] = [];
  for (const key of Object.keys(input)) {
    const { [key]: _own, ...others } = input;
    const without = await sentBy(place, others);
    for (const blank of [' \n', '', null]) {
      const sent = await sentBy(place, { ...input, [key]: blank });
      if (sent !== without) differing.push({ key, blank, sent, without });
    }
  }
  expect(differing).toEqual([]);
});

describe('pairs of keys and values', () => {
  const pairs = { ' crm_id ': ' 0042 ', floor: 42, campaign: '  ' };

  it('are sent without white space, and without those that have no value', async () => {
    expect(await sentBy('creates.create_coupon', { ...coupon, lead_metadata: pairs })).toBe(
      `POST /coupons {${sentCoupon},${leadCode},"lead_metadata":{"crm_id":"0042","floor":42}}`,
    );
    expect(await sentBy('creates.create_landing_link', { fields: pairs })).toBe(
      'POST /landing-links {"crm_id":"0042","floor":42}',
    );
  });

  it.each([[{}], [null], [{ campaign: '  ' }]])('are left out when empty: %j', async (none) => {
    expect(await sentBy('creates.create_coupon', { ...coupon, lead_metadata: none })).toBe(
      `POST /coupons {${sentCoupon},${leadCode}}`,
    );
    expect(await sentBy('creates.create_landing_link', { fields: none, utm_term: 'a' })).toBe(
      'POST /landing-links {"utm_term":"a"}',
    );
  });
});
