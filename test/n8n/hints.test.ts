import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { actionNode } from './engine.ts';
import { useWorld } from './world.ts';

const world = useWorld({ clock: 'frozen', screens: 80 });

/** What n8n shows above the output of the node. */
async function hints(parameters: INodeParameters, items: IDataObject[] = [{}]) {
  const { run, error } = await world.run({ authentication: 'apiKey', ...parameters }, { items });
  expect(error).toBeUndefined();
  const [data] = run.data.resultData.runData[actionNode] ?? [];
  return data?.hints?.map(({ message }) => message) ?? [];
}

const screens = (fields: INodeParameters = {}): INodeParameters => ({
  resource: 'screen',
  operation: 'getAll',
  ...fields,
});
const filters = { near: '52.5200, 13.4050' };
const period = { from: '2027-03-01', to: '2027-03-14' };

describe('a list that is longer than the limit says how many records exist', () => {
  it.each<[string, INodeParameters, string[]]>([
    ['Get Many', screens(), ['50 of 73 screens.']],
    ['with a limit', screens({ limit: 72 }), ['72 of 73 screens.']],
    ['with a limit that fits', screens({ limit: 73 }), []],
    ['with Return All', screens({ returnAll: true }), []],
    ['near a place', screens({ filters, limit: 5 }), ['5 of 73 screens.']],
    [
      'Find Available',
      screens({ operation: 'findAvailable', ...period, limit: 2 }),
      ['2 of 71 screens.'],
    ],
  ])('%s', async (_what, parameters, expected) => {
    // The editor itself says how to get more.
    expect(await hints(parameters)).toEqual(expected);
  });

  it.each([
    [[{}, {}], 'The same holds for 1 more item.'],
    [[{}, {}, {}], 'The same holds for 2 more items.'],
  ])('and once for many items', async (items, more) => {
    expect(await hints(screens({ limit: 1 }), items)).toEqual([
      `1 of 73 screens. Turn on 'Return All' to get all of them. ${more}`,
    ]);
  });

  it('and for items that differ, what holds for the first', async () => {
    const ofCity = screens({ limit: 1, filters: { city: '={{ $json.city }}' } });
    expect(await hints(ofCity, [{ city: 'Berlin' }, { city: 'Vienna' }])).toEqual([
      expect.stringMatching(
        /^Input items that this concerns: 2\. The first: 1 of \d+ screens\. Turn on 'Return All'/,
      ),
    ]);
  });

  it('or only that the service has more, if it does not count them', async () => {
    const body = JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], pagination: {} });
    world.sandbox.faults.add({ fault: 'status', status: 200, path: '/screens', body });
    expect(await hints(screens({ limit: 1 }))).toEqual([
      'Only the first 1 of the screens: the service has more.',
    ]);
  });
});

describe('a period or an expiry in the past', () => {
  it.each<[string, INodeParameters, string]>([
    [
      'Find Available',
      { resource: 'screen', operation: 'findAvailable', from: '2026-01-01', to: '2026-01-31' },
      "'To' (2026-01-31) is in the past, so nothing can be booked any more.",
    ],
    [
      'Get Availability',
      {
        resource: 'screen',
        operation: 'getAvailability',
        screenId: 'scr_berlin_0001',
        from: '2026-01-01',
        to: '2026-01-31',
      },
      "'To' (2026-01-31) is in the past, so nothing can be booked any more.",
    ],
    [
      'Create Coupon',
      {
        resource: 'coupon',
        operation: 'create',
        discount_type: 'percent',
        discount_value: '10',
        lead_email: 'lead@example.com',
        additionalFields: { valid_until: '2026-01-31' },
      },
      "'Valid Until' (2026-01-31) is in the past, so the coupon may have expired.",
    ],
  ])('%s says so', async (_what, parameters, expected) => {
    expect(await hints(parameters)).toContain(expected);
  });

  it('does not mean today', async () => {
    // The workflow is in New York, where it is still February 28.
    const { clock } = world.sandbox;
    await clock.advance(Date.parse('2027-03-01T02:00:00.000Z') - clock.now());
    const parameters = screens({ operation: 'getAvailability', screenId: 'scr_berlin_0001' });
    const today = { from: '2027-02-28', to: '2027-02-28' };
    expect(await hints({ ...parameters, ...today })).toEqual([]);
  });
});

describe('a landing link', () => {
  const link = (name: string): INodeParameters => ({
    resource: 'landingLink',
    operation: 'create',
    fields: { field: [{ name, value: 'spring sale' }] },
  });

  it('without the value of a field says which', async () => {
    expect(await hints(link('UTM Campaign'))).toEqual([
      'The link does not contain the value of "UTM Campaign". If it should, check how the field is spelled, such as utm_campaign.',
    ]);
  });

  it('with the values says nothing', async () => {
    expect(await hints(link('utm_campaign'))).toEqual([]);
  });
});

it.each([
  [{ sort_by: 'nearest' }, "'Near' is required with 'Sort By' Nearest"],
  [{ radius_km: 2 }, "'Near' is required with 'Radius in Kilometers'"],
])('Get Many Screens with %j: %s', async (given, message) => {
  const parameters = { authentication: 'apiKey', ...screens({ filters: given }) };
  expect((await world.run(parameters)).error).toMatchObject({ message });
});

it.each(['2027-02-30', '2027-02-30T10:00:00Z'])(
  'a day that does not exist (%s) is refused before it is sent',
  async (valid_until) => {
    const result = await world.run({
      authentication: 'apiKey',
      resource: 'coupon',
      operation: 'create',
      discount_type: 'percent',
      discount_value: '10',
      lead_email: 'lead@example.com',
      additionalFields: { valid_until },
    });
    expect(result.error).toMatchObject({
      message: `'Valid Until' must be a day that exists, not "${valid_until}"`,
      description: expect.stringMatching(/^Nothing was sent\./),
    });
    expect(world.sandbox.journal.list()).toEqual([]);
  },
);

const nowhere = 'No screen is in "Berln". Did you mean "Berlin"?';

it.each<[what: string, fields: INodeParameters, items: IDataObject[], hint: string]>([
  ['a misspelled filter', { filters: { city: 'Berln ' } }, [{}], nowhere],
  [
    'some of several items',
    { filters: { city: '={{ $json.city }}' } },
    [{ city: 'Berlin' }, { city: 'Berln' }, { city: 'Berln' }],
    `Input items without a result: 2 of 3. The first: ${nowhere}`,
  ],
  [
    'a list that is empty without a filter',
    { resource: 'campaignRequest' },
    [{}],
    'The service has no campaign requests for this credential.',
  ],
])('an empty result says why it may be empty: %s', async (_what, fields, items, hint) => {
  const body = JSON.stringify({ data: [], pagination: { has_more: false } });
  const path = '/campaign-requests';
  world.sandbox.faults.add({ fault: 'status', status: 200, path, body });
  expect(await hints(screens(fields), items)).toEqual([hint]);
});

it('a result says nothing of the kind, but counts screens that are no longer bookable', async () => {
  expect(await hints(screens({ filters: { city: ' Berlin ' } }))).toEqual([]);
  const path = '/screens/scr_berlin_0001/availability';
  world.sandbox.faults.add({ fault: 'status', status: 404, path });
  expect(
    await hints(screens({ operation: 'findAvailable', ...period, filters: { city: 'Berlin' } })),
  ).toEqual(['Screens left out because they can no longer be booked: 1.']);
});
