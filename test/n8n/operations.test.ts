import { expect, it } from '@jest/globals';
import { useWorld } from './world.ts';

const world = useWorld();

const on = (resource: string, operation: string, parameters = {}) =>
  world.items({ resource, operation, ...parameters });
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const screen = () => world.sandbox.screens.list()[0]?.id ?? '';

it('Screen: Get returns a simplified screen, or every field', async () => {
  const [item] = await on('screen', 'get', { screenId: byId(screen()) });
  expect(item?.json).toMatchObject({ id: screen() });
  expect(Object.keys(item?.json ?? {})).toHaveLength(10);
  expect(item?.json.price_per_day).toBe(Number(item?.json.price_per_day_cents) / 100);
  const [whole] = await on('screen', 'get', { screenId: byId(screen()), simplify: false });
  expect(whole?.json).toMatchObject({ id: screen(), thumbnail_url: expect.any(String) });
});

it('Screen: Get Many returns all of them over several pages', async () => {
  const items = await on('screen', 'getAll', { returnAll: true });
  const bookable = world.sandbox.screens.list().filter(({ is_active }) => is_active);
  expect(new Set(items.map(({ json }) => json.id)).size).toBe(items.length);
  expect(items.length).toBeGreaterThan(200);
  expect(items.length).toBeLessThanOrEqual(bookable.length);
});

it('Screen: Get Many sends every filter, and the limit', async () => {
  const filters = {
    country: 'DE',
    city: 'Berlin',
    orientation: 'landscape',
    bbox: '13,52,14,53',
  };
  expect((await on('screen', 'getAll', { filters, limit: 2 })).length).toBeLessThanOrEqual(2);
  expect(requests()).toEqual([
    'GET /screens?country=DE&city=Berlin&orientation=landscape&bbox=13%2C52%2C14%2C53&limit=2',
  ]);
});

it.each([
  ['2027-03-01T00:00:00', "={{ DateTime.fromISO('2027-03-31') }}"],
  // A moment is its day in the time zone of the workflow, as a date and as the text of one.
  ["={{ new Date('2027-03-02T03:00:00Z') }}", "={{ new Date('2027-03-31T12:00:00Z') }}"],
  ['2027-03-02T03:00:00.000Z', '2027-04-01T03:59:59.999Z'],
  ["={{ DateTime.fromISO('2027-03-02T03:00Z', { zone: 'utc' }) }}", '2027-03-31T22:00:00-04:00'],
  // A day that a program wrote as a time is that day.
  ['2027-03-01T00:00:00Z', "={{ new Date('2027-03-31') }}"],
])('Screen: Get Availability takes the days %s and %s', async (from, to) => {
  const fields = { screenId: byId(screen()), from, to };
  const [item] = await on('screen', 'getAvailability', fields);
  expect(item?.json).toMatchObject({ from: '2027-03-01', to: '2027-03-31' });
});

it('Coupon: Create, Get and Revoke', async () => {
  const [created] = await on('coupon', 'create', {
    discount_type: 'free_days',
    discount_value: 3,
    lead_email: 'lead@example.com',
    additionalFields: {
      code: 'SPRING-25',
      max_redemptions: 5,
      valid_until: '31.03.2099',
      lead_metadata: { field: [{ name: 'crm_id', value: '42' }] },
    },
  });
  expect(created?.json).toMatchObject({
    code: 'SPRING-25',
    discount_type: 'free_days',
    discount_value: 3,
    max_redemptions: 5,
    valid_until: '2099-03-31',
    lead_metadata: { crm_id: '42' },
  });
  const [read] = await on('coupon', 'get', { code: 'SPRING-25' });
  expect({ ...read?.json, created: true }).toEqual(created?.json);
  const [revoked] = await on('coupon', 'revoke', { code: 'SPRING-25' });
  expect(revoked?.json).toMatchObject({ code: 'SPRING-25', status: 'revoked' });
});

it('Coupon: what Create and Get output can be entered in Create again, and means the same', async () => {
  const amount = { discount_type: 'amount_cents', discount_value: '12,50' };
  const [created] = await on('coupon', 'create', {
    ...amount,
    lead_email: 'one@example.com',
    additionalFields: { code: 'SPRING-25' },
  });
  const shown = { discount_type: 'amount_cents', discount_value: 12.5, discount_value_cents: 1250 };
  expect(created?.json).toMatchObject(shown);
  const [read] = await on('coupon', 'get', { code: 'SPRING-25' });
  expect(read?.json).toMatchObject(shown);
  const [again] = await on('coupon', 'create', {
    discount_type: String(read?.json.discount_type),
    discount_value: read?.json.discount_value as number,
    lead_email: 'other@example.com',
  });
  expect(again?.json).toMatchObject(shown);
});

it('Coupon: Create sends lead metadata as text, or as what an expression returns', async () => {
  const [created] = await on('coupon', 'create', {
    discount_value: 10,
    lead_email: ' lead@example.com\n',
    additionalFields: {
      lead_metadata: {
        field: [
          { name: 'crm_id', value: ' 42' },
          { name: 'visits', value: '={{ 42 }}' },
          { name: 'address', value: '={{ ({ city: "Berlin" }) }}' },
        ],
      },
    },
  });
  expect(created?.json).toMatchObject({
    lead_email: 'lead@example.com',
    lead_metadata: { crm_id: '42', visits: 42, address: { city: 'Berlin' } },
  });
});

it('User: Look Up by email address and by VAT ID', async () => {
  const [user] = world.sandbox.users.list();
  const [byEmail] = await on('user', 'lookUp', { lookUpBy: 'email', email: user?.email ?? '' });
  expect(byEmail?.json).toMatchObject({ exists: true, user_id: user?.user_id });
  const [byVat] = await on('user', 'lookUp', {
    lookUpBy: 'vat_uid',
    vat_uid: user?.vat_uid ?? '',
  });
  const { email, ...known } = byEmail?.json ?? {};
  expect([email, byVat?.json]).toEqual([user?.email, { vat_uid: user?.vat_uid, ...known }]);
});

it.each([
  [{ exists: 'false', user_id: null }, false, false],
  [{ user_id: 'u1', attribution: {} }, true, true],
])(
  'User: Look Up of %j says whether the user exists, and is yours',
  async (data, exists, yours) => {
    const body = JSON.stringify({ data });
    world.sandbox.faults.add({ fault: 'status', status: 200, path: '/users/lookup', body });
    const email = 'lead@example.com';
    const [item] = await on('user', 'lookUp', { email });
    expect(item?.json).toEqual({ ...data, email, exists, referred_by_you: yours });
  },
);

it('Landing Link: Create sends the fields that the user names', async () => {
  const [item] = await on('landingLink', 'create', {
    fields: { field: [{ name: 'utm_campaign', value: 'spring' }] },
  });
  expect(String(item?.json.url)).toMatch(/utm_campaign=spring/);
  const [fromJson] = await on('landingLink', 'create', {
    specifyFields: 'json',
    fieldsJson: '{"utm_campaign": "autumn"}',
  });
  expect(String(fromJson?.json.url)).toMatch(/utm_campaign=autumn.*utm_medium=partner_api/);
});

it('Campaign Request: Get Many and Get', async () => {
  const items = await on('campaignRequest', 'getAll', {
    returnAll: true,
    filters: { status: 'rejected' },
  });
  expect(items.length).toBeGreaterThan(0);
  const [first] = items;
  const [one] = await on('campaignRequest', 'get', { id: byId(String(first?.json.id)) });
  expect(one?.json).toEqual(first?.json);
});

function requests(): string[] {
  return world.sandbox.journal
    .list()
    .filter(({ operation, status }) => operation !== 'token' && status === 200)
    .map(({ method, path }) => `${method} ${path}`);
}
