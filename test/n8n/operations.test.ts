import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

describe.each(['apiKey', 'clientCredentials'])('with %s', (authentication) => {
  const on = (resource: string, operation: string, parameters = {}) =>
    world.items({ authentication, resource, operation, ...parameters });
  const byId = (value: string) => ({ __rl: true, mode: 'id', value });
  const screen = () => world.sandbox.screens.list()[0]?.id ?? '';

  it('Screen: Get returns a simplified screen', async () => {
    const [item] = await on('screen', 'get', { screenId: byId(screen()) });
    expect(item?.json).toMatchObject({ id: screen() });
    expect(Object.keys(item?.json ?? {})).toHaveLength(10);
    expect(item?.json.price_per_day).toBe(Number(item?.json.price_per_day_cents) / 100);
  });

  it('Screen: Get returns every field when not simplified', async () => {
    const [item] = await on('screen', 'get', { screenId: byId(screen()), simplify: false });
    expect(item?.json).toMatchObject({ id: screen(), thumbnail_url: expect.any(String) });
  });

  it('Screen: Get Many returns as many as the limit says, in one page', async () => {
    const items = await on('screen', 'getAll', { limit: 7 });
    expect(items).toHaveLength(7);
    expect(requests()).toEqual(['GET /screens?limit=7']);
  });

  it('Screen: Get Many returns all of them over several pages', async () => {
    const items = await on('screen', 'getAll', { returnAll: true });
    const bookable = world.sandbox.screens.list().filter(({ is_active }) => is_active);
    expect(new Set(items.map(({ json }) => json.id)).size).toBe(items.length);
    expect(items.length).toBeGreaterThan(200);
    expect(items.length).toBeLessThanOrEqual(bookable.length);
  });

  it('Screen: Get Many sends every filter', async () => {
    await on('screen', 'getAll', {
      filters: { country: 'DE', city: 'Berlin', orientation: 'landscape', bbox: '13,52,14,53' },
    });
    expect(requests()).toEqual([
      'GET /screens?country=DE&city=Berlin&orientation=landscape&bbox=13%2C52%2C14%2C53&limit=50',
    ]);
  });

  it('Screen: Get Availability takes values from a date picker or an expression', async () => {
    const [item] = await on('screen', 'getAvailability', {
      screenId: byId(screen()),
      from: '2027-03-01T00:00:00.000+01:00',
      to: "={{ DateTime.fromISO('2027-03-31') }}",
    });
    expect(item?.json).toMatchObject({ from: '2027-03-01', to: '2027-03-31' });
  });

  it('Screen: Get Availability takes the day of a JavaScript date in the zone of the workflow', async () => {
    const moment = (text: string) => `={{ new Date('${text}') }}`;
    const [item] = await on('screen', 'getAvailability', {
      screenId: byId(screen()),
      from: moment('2027-03-02T03:00:00Z'),
      to: moment('2027-03-31T12:00:00Z'),
    });
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
        valid_until: '2099-03-31',
        lead_metadata: '{"crm_id": "42"}',
      },
    });
    expect(created?.json).toMatchObject({
      code: 'SPRING-25',
      discount_type: 'free_days',
      discount_value: 3,
      max_redemptions: 5,
      lead_metadata: { crm_id: '42' },
    });
    const [read] = await on('coupon', 'get', { code: 'SPRING-25' });
    expect(read?.json).toEqual(created?.json);
    const [revoked] = await on('coupon', 'revoke', { code: 'SPRING-25' });
    expect(revoked?.json).toMatchObject({ code: 'SPRING-25', status: 'revoked' });
  });

  it('Coupon: Create takes lead metadata as names and values', async () => {
    const [created] = await on('coupon', 'create', {
      discount_value: 10,
      lead_email: ' lead@example.com\n',
      additionalFields: {
        leadMetadataFields: { field: [{ name: 'crm_id', value: ' 42' }] },
      },
    });
    expect(created?.json).toMatchObject({
      lead_email: 'lead@example.com',
      lead_metadata: { crm_id: '42' },
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

  it('User: Look Up of an unknown user says so without an error', async () => {
    const [item] = await on('user', 'lookUp', { email: 'nobody@example.com' });
    expect(item?.json).toEqual({ exists: false, email: 'nobody@example.com' });
  });

  it.each([
    [{ exists: false }, { exists: false }],
    [
      { exists: 'false', user_id: null },
      { exists: false, user_id: null },
    ],
    [{}, { exists: false }],
    [{ exists: true }, { exists: true }],
    [{ user_id: 'u1' }, { exists: true, user_id: 'u1' }],
    [
      { exists: null, user_id: 'u1' },
      { exists: true, user_id: 'u1' },
    ],
  ])('User: Look Up of %j says whether the user exists', async (data, json) => {
    const path = '/users/lookup';
    world.sandbox.faults.add({
      fault: 'status',
      status: 200,
      path,
      body: JSON.stringify({ data }),
    });
    const email = 'lead@example.com';
    const [item] = await on('user', 'lookUp', { email });
    expect(item?.json).toEqual({ email, ...json });
  });

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
});

it('lists for choosing a screen load page by page and can be searched', async () => {
  const node = {
    type: 'screenAdvertising',
    parameters: { authentication: 'apiKey', resource: 'screen', operation: 'get' },
  };
  const first = await world.engine.listSearch(node, 'getScreens');
  expect(first.results).toHaveLength(200);
  const rest = await world.engine.listSearch(node, 'getScreens', '', String(first.paginationToken));
  expect(rest.results.length).toBeGreaterThan(0);
  expect(rest.paginationToken).toBeUndefined();
  const last = rest.results.at(-1);
  const found = await world.engine.listSearch(node, 'getScreens', String(last?.value));
  expect(found.results).toEqual([last]);
});

it('lists for choosing a campaign request show everything known about it', async () => {
  const node = {
    type: 'screenAdvertising',
    parameters: { authentication: 'apiKey', resource: 'campaignRequest', operation: 'get' },
  };
  const { results } = await world.engine.listSearch(node, 'getCampaignRequests', 'rejected');
  expect(results[0]?.name).toMatch(/^cr_\d+ \(\w+, rejected\)$/);
});

function requests(): string[] {
  return world.sandbox.journal
    .list()
    .filter(({ operation, status }) => operation !== 'token' && status === 200)
    .map(({ method, path }) => `${method} ${path}`);
}
