import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

const service = useService();

/** Filters that match every screen: a search requires at least one. */
const anywhere = { bbox: '-180,-90,180,90' };
const march = { from: '2027-03-01', to: '2027-03-31' };

it('searches for one record return it', async () => {
  const zapier = await service().connect();
  const [screen] = await zapier.search('find_screen', anywhere);
  const from = '2027-03-01T00:00:00+01:00';
  expect(
    await zapier.search('find_screen_availability', { screen_id: screen?.id, ...march, from }),
  ).toEqual([expect.objectContaining({ screen_id: screen?.id, ...march })]);
  const coupon = await zapier.create('create_coupon', {
    discount_type: 'free_days',
    discount_value: 2,
    lead_email: 'lead@example.com',
  });
  expect(await zapier.search('find_coupon', { code: coupon.code })).toEqual([
    expect.objectContaining({ code: coupon.code, lead_email: 'lead@example.com' }),
  ]);
  const [[, user] = []] = service().sandbox.snapshot().data.users;
  expect(await zapier.search('find_user', { email: user?.email })).toEqual([
    expect.objectContaining({ exists: true, referred_by_you: true, user_id: user?.user_id }),
  ]);
  const [any] = await zapier.search('find_campaign_request', { status: 'rejected' });
  expect(await zapier.search('find_campaign_request', { id: any?.id })).toEqual([any]);
});

it.each([{}, { email: 'lead@example.com', vat_uid: 'DE123456789' }])(
  'Find User asks for one of email and VAT number in %j',
  async (input) => {
    const zapier = await service().connect();
    expect(await zapier.search('find_user', input).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message: 'Find User was not sent: Email or VAT Number must be set, but not both.',
    });
  },
);

describe('Find Coupon', () => {
  const lead_email = 'lead@example.com';
  const coupon = { discount_type: 'free_days', discount_value: 2, lead_email, code: 'SPRING-25' };
  const code = coupon.code;

  async function find(input: object, record: object, meta: object = {}) {
    const zapier = await service().connect();
    const answer = { body: JSON.stringify(record), contentType: 'application/json' };
    service().sandbox.faults.add({ path: '/coupons/*', fault: 'status', status: 200, ...answer });
    return zapier.search('find_coupon', { code, ...input }, { ...meta }).catch(readZapierError);
  }

  it('says in the editor that it finds coupons of any status', async () => {
    const { searches } = await definitionOf('public');
    const { display, operation } = searches.find_coupon ?? {};
    expect(display?.description).toBe(
      'Finds a coupon by its code, or the newest one of a lead, whatever its status.',
    );
    const fields = operation?.inputFields?.filter((field) => typeof field === 'object');
    expect(fields?.map(({ label, type }) => [label, type]).slice(0, 3)).toEqual([
      ['Code', 'string'],
      ['Lead Email', 'string'],
      ['Code Prefix', 'string'],
    ]);
  });

  it.each([
    [{}, 'revoked'],
    [{ only_active: false }, 'revoked'],
    [{ only_active: true }, 'active'],
    [{ only_active: 'true', lead_email: ' LEAD@example.com ' }, 'active'],
  ])('finds with %j a coupon that is %s', async (input, status) => {
    expect(await find(input, { ...coupon, status })).toEqual([
      expect.objectContaining({ code, status }),
    ]);
  });

  it.each([
    [{ only_active: true }, { status: 'revoked' }],
    [{ only_active: 'yes' }, { status: undefined }],
    [{ lead_email: 'other@example.com' }, {}],
    [{ lead_email }, { lead_email: null }],
  ])('with %j does not find %j, also in the editor', async (input, changed) => {
    const record = { ...coupon, status: 'active', ...changed };
    expect(await find(input, record)).toEqual([]);
    // An error would keep Find or Create from creating one.
    expect(await find(input, record, { isLoadingSample: true })).toEqual([]);
  });
});

const searches = [
  {
    key: 'find_screen',
    identifier: 'screen_id',
    filter: { city: 'Berlin' },
    message:
      'Find Screen was not sent: at least one of these must be filled in: Name, Near, Country, City, Orientation, Bounding Box, Screen. A field mapped from an earlier step may have been empty.',
  },
  {
    key: 'find_campaign_request',
    identifier: 'id',
    filter: { status: 'rejected' },
    message:
      'Find Campaign Request was not sent: at least one of these must be filled in: Campaign Request, Status, From, To, Industry. A field mapped from an earlier step may have been empty.',
  },
];

describe.each(searches)('$key', ({ key, identifier, filter, message }) => {
  /** Zapier's input for a form whose fields hold `raw`, when earlier steps returned `inputData`. */
  async function search(inputData: object, raw: object = inputData) {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const bundle = { inputData, inputDataRaw: raw };
    return zapier.run(`searches.${key}.operation.perform`, bundle).catch(readZapierError);
  }

  it.each([[{}], [{ [identifier]: ' ', name: '  ', city: '', status: '' }]])(
    'does not continue with any record when nothing is filled in: %j',
    async (inputData) => {
      const error = await search(inputData, {});
      expect(error).toEqual({ name: 'AppError', code: 'invalid_input', message });
      expect(service().calls()).toEqual([]);
    },
  );

  it('uses the filters when the ID was never filled in', async () => {
    const found = { results: expect.arrayContaining([expect.objectContaining(filter)]) };
    expect(await search({ [identifier]: '', ...filter }, filter)).toMatchObject(found);
  });
});

it('prices are in cents and in currency units in every step that has them', async () => {
  const zapier = await service().connect();
  const period = { from: '2027-03-01', to: '2027-03-14' };
  const change = { ...period, city: 'Berlin', change: 'either', share_pct: 10 };
  const [screen] = await zapier.search('find_screen', anywhere);
  const records = [
    screen,
    ...(await zapier.search('find_screen', { name: 'Central' })),
    ...(await zapier.poll('new_screen')),
    ...(await zapier.search('find_available_screens', { ...period, city: 'Berlin' })),
    ...(await zapier.search('find_screen_availability', { ...period, screen_id: screen?.id })),
    ...(await zapier.poll('screen_availability_changed', change, { isLoadingSample: true })),
  ].flatMap((record) => [record, record?.screen ?? record]) as Record<string, unknown>[];
  const names = Object.keys(Object.assign({}, ...records)).filter((one) => /_cents$/.test(one));
  expect(names).toEqual(['price_per_day_cents', 'total_price_cents']);
  for (const record of records) {
    for (const name of names.filter((one) => one in record)) {
      const units = Number(record[name.replace('_cents', '')]);
      expect(Math.round(units * 100)).toBe(record[name]);
    }
  }
});

/** What Zapier makes of the input, in a Zap whose zone is Berlin. */
const cases = [
  ['2027-03-01', '2027-03-01T00:00:00+01:00', '2027-03-01'],
  [' 2027-03-01T09:00:00Z ', '2027-03-01T10:00:00+01:00', '2027-03-01T09:00:00Z'],
  ['2027-03-01T09:00', '2027-03-01T09:00:00+01:00', '2027-03-01T09:00:00+01:00'],
  ['next monday', '2027-03-01T00:00:00+01:00', '2027-03-01'],
  ['{{1__created_at}}', '2027-03-01T09:30:15.250Z', '2027-03-01T09:30:15.250Z'],
  ['2027-03-01T00:00:00Z', '2027-03-01T01:00:00+01:00', '2027-03-01'],
  [' 12/24/2026 ', '2026-12-24T00:00:00+01:00', '2026-12-24'],
] as const;

describe.each([
  ['searches', 'find_campaign_request'],
  ['triggers', 'new_campaign_request'],
] as const)('From and To of %s.%s', (kind, key) => {
  it('are fields for times', async () => {
    const fields = (await definitionOf('public'))[kind][key]?.operation.inputFields ?? [];
    for (const name of ['from', 'to']) {
      expect(fields).toContainEqual(expect.objectContaining({ key: name, type: 'datetime' }));
    }
  });

  it.each(cases)('%s, which Zapier reads as %s, is sent as %s', async (raw, read, sent) => {
    const zapier = await service().connect();
    for (const name of ['from', 'to']) {
      service().sandbox.journal.clear();
      const bundle = { inputData: { [name]: read }, inputDataRaw: { [name]: raw } };
      // The sandbox refuses some of these: only the sent request matters here.
      await zapier.run(`${kind}.${key}.operation.perform`, bundle).catch(() => undefined);
      const [{ path } = { path: '' }] = service().sandbox.journal.list();
      expect(new URL(path, service().baseUrl).searchParams.get(name)).toBe(sent);
    }
  });
});
