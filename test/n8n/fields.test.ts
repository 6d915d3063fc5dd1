import { describe, expect, it } from '@jest/globals';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { useWorld } from './world.ts';

const world = useWorld({ screens: 120 });

const nothingSent =
  'Nothing was sent. Fix the field in this node, or the expression that fills it.';
const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: 'lead@example.com',
};
const link = { resource: 'landingLink', operation: 'create' };
const named = (...field: Array<{ name: string; value: string }>) => ({ field });
const screen = { __rl: true, mode: 'id', value: 'scr_berlin_0001' };
const availability = {
  resource: 'screen',
  operation: 'getAvailability',
  screenId: screen,
  to: '2027-03-31',
};

const both = { email: 'lead@example.com', vat_uid: 'DE123456789' };
const getMany = { resource: 'screen', operation: 'getAll' };

describe('an error about an invalid field names its label', () => {
  it.each<[parameters: INodeParameters, message: string]>([
    [
      { ...coupon, discount_value: 101 },
      "'Discount Value' must be at most 100 when the discount type is percent, not 101",
    ],
    [{ ...coupon, lead_email: "={{ '' }}" }, "'Lead Email' is required"],
    [
      { ...coupon, additionalFields: { max_redemptions: 1001 } },
      "'Maximum Redemptions' must be at most 1000, not 1001",
    ],
    [
      { ...link, fields: named({ name: 'a', value: '1' }, { name: 'a', value: '2' }) },
      "'a' is set twice",
    ],
    [link, "'Fields' needs at least one field, such as utm_campaign"],
    [{ ...link, fields: named({ name: ' ', value: '1' }) }, 'every field needs a name'],
    [
      { ...link, specifyFields: 'json', fieldsJson: '{' },
      `'JSON' must be valid JSON, such as {"crm_id": "42"}, not "{"`,
    ],
    [
      { ...link, specifyFields: 'json', fieldsJson: '[1]' },
      `'JSON' must be an object with fields, such as {"utm_campaign": "spring"}`,
    ],
    ...[
      ['1 March', '1 March'],
      ["={{ new Date('never') }}", 'Invalid Date'],
    ].map(([from = '', quoted]): [INodeParameters, string] => [
      { ...availability, from },
      `'From' must be a calendar date in the format YYYY-MM-DD, such as 2026-03-31, not "${quoted}"`,
    ]),
    ...[
      [0, '0'],
      [1.5, '1.5'],
      ["={{ 'abc' }}", '"abc"'],
      ['={{ 0 / 0 }}', 'NaN'],
    ].map(([limit = '', quoted]): [INodeParameters, string] => [
      { ...getMany, limit },
      `'Limit' must be a whole number, 1 or more, not ${quoted}`,
    ]),
    [{ ...getMany, limit: '={{ [5, 6] }}' }, "'Limit' must be one value, not 2"],
    [{ ...getMany, returnAll: "={{ 'all' }}" }, `'Return All' must be true or false, not "all"`],
    [
      { ...getMany, simplify: "={{ 'perhaps' }}" },
      `'Simplify' must be true or false, not "perhaps"`,
    ],
    [
      { ...coupon, additionalFields: { if_lead_had_one: "={{ 'perhaps' }}" } },
      `'If the Lead Had One Before' must be one of Return It, Create Another, not "perhaps"`,
    ],
    [
      { ...coupon, additionalFields: { code: 'A', code_prefix: 'B' } },
      `'Code Prefix' cannot be set beside 'Code'`,
    ],
    [
      { resource: 'coupon', operation: 'get', getBy: 'lead_email', lead_email: "={{ '' }}" },
      `'Lead Email' must be an email address such as lead@example.com, not ""`,
    ],
    [
      { resource: 'user', operation: 'lookUp', lookUpBy: "={{ 'phone' }}", ...both },
      `'Look Up By' must be one of Email, VAT Number, not "phone"`,
    ],
    [
      { ...link, specifyFields: "={{ 'text' }}" },
      `'Specify Fields' must be one of Using Fields Below, Using JSON, not "text"`,
    ],
  ])('%j', async (parameters, message) => {
    const { error } = await world.run({ authentication: 'apiKey', ...parameters });
    expect(error?.name).toBe('NodeOperationError');
    expect(error?.message).toBe(message);
    expect(error?.description).toBe(nothingSent);
    expect(world.sandbox.journal.list()).toEqual([]);
  });
});

it('an error names every invalid field of a form at once', async () => {
  const { error } = await world.run({
    ...coupon,
    discount_value: 'many',
    lead_email: 'lead',
    additionalFields: { code: 'SPRING 25', max_redemptions: '5000', valid_until: '03/04/2099' },
  });
  for (const text of ['many', 'lead', 'SPRING 25', '5000', '03/04/2099'])
    expect(error?.message).toContain(text);
  expect(world.sandbox.journal.list()).toEqual([]);
});

it('an error names an operation that this version does not have', async () => {
  const { error } = await world.run({ resource: 'coupon', operation: 'redeem' });
  expect(error?.message).toBe(
    'This version of the node has no operation "redeem" for the resource "coupon". Choose one from the lists.',
  );
});

it.each([
  ["={{ '10' }}", 10],
  ["={{ '' }}", 50],
])('a limit of %s returns as many as it says, or the default: %d', async (limit, count) => {
  expect(await world.items({ resource: 'screen', operation: 'getAll', limit })).toHaveLength(count);
});

/** Ten of the 120 screens cannot be booked. */
const total = 110;

it.each<[returnAll: unknown, count: number]>([
  [true, total],
  ["={{ ' TRUE ' }}", total],
  [false, 50],
  ["={{ '' }}", 50],
])('Return All of %j returns %d records', async (returnAll, count) => {
  const found = await world.items({ ...getMany, returnAll: returnAll as string });
  expect(found).toHaveLength(count);
});

it.each<[INodeParameters, fields: number]>([
  [{ simplify: "={{ 'false' }}" }, 17],
  [{ simplify: '={{ 0 }}' }, 17],
  [{ simplify: "={{ 'true' }}" }, 10],
])('a screen of %j has %d fields', async (parameters, count) => {
  const [item] = await world.items({ ...getMany, ...parameters });
  expect(Object.keys(item?.json ?? {})).toHaveLength(count);
});

it.each([
  [{ concurrency: 0 }, `'Concurrency' must be a whole number from 1 to 500, not 0`],
  [{ timeout: "={{ 'soon' }}" }, `'Timeout' must be a number from 1 to 86400, not "soon"`],
])('the options %j are refused', async (options, message) => {
  const { error } = await world.run({ ...getMany, options });
  expect(error?.message).toBe(message);
});

it('without Sort By, the screens have the order of the service, as the tooltip says', async () => {
  const found = await world.items({ ...getMany, limit: 5 });
  const bookable = world.sandbox.screens.list().filter(({ is_active }) => is_active);
  expect(found.map(({ json }) => json.id)).toEqual(bookable.slice(0, 5).map(({ id }) => id));
  const prices = found.map(({ json }) => Number(json.price_per_day_cents));
  expect(prices).not.toEqual(prices.toSorted((one, other) => one - other));
  const { properties = [] } =
    world.engine.package.nodes.get('screenAdvertising')?.description ?? {};
  const tooltips = properties
    .flatMap(({ options = [] }) => options as INodeProperties[])
    .filter(({ name }) => name === 'sort_by')
    .map(({ description }) => description);
  expect(new Set(tooltips)).toEqual(
    new Set([
      'Which screens come first. Default: the nearest with Near, else the cheapest.',
      "Which screens come first. Default: the nearest with Near, else in the service's order.",
    ]),
  );
});

it('with Sort By and no place, the cheapest screens of the whole list come first', async () => {
  const filters = { sort_by: 'cheapest' };
  const found = await world.items({ ...getMany, limit: 3, filters });
  const prices = world.sandbox.screens
    .list()
    .filter(({ is_active }) => is_active)
    .map(({ price_per_day_cents }) => price_per_day_cents)
    .toSorted((one, other) => one - other);
  expect(found.map(({ json }) => json.price_per_day_cents)).toEqual(prices.slice(0, 3));
});

it('empty fields are not sent', async () => {
  await world.run({
    ...coupon,
    additionalFields: { code: '', valid_until: '' },
  });
  expect(JSON.parse(world.sandbox.journal.list()[0]?.requestBody ?? '')).toEqual({
    code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{10}$/),
    discount_type: 'percent',
    discount_value: 10,
    lead_email: 'lead@example.com',
  });
});

it.each([
  ['2099-03-31T00:00:00', '2099-03-31'],
  ['2099-03-31T23:59:59Z', '2099-03-31T23:59:59Z'],
  ["={{ DateTime.fromISO('2099-03-31T12:00:00Z', { zone: 'utc' }) }}", '2099-03-31T12:00:00.000Z'],
])('a date that the service takes as text: %j is sent as %j', async (given, sent) => {
  await world.items({ ...coupon, additionalFields: { valid_until: given } });
  const [call] = world.sandbox.journal.list();
  expect(JSON.parse(call?.requestBody ?? '')).toMatchObject({ valid_until: sent });
  const list = { resource: 'campaignRequest', operation: 'getAll', filters: { from: given } };
  await world.run({ authentication: 'apiKey', ...list });
  expect(world.sandbox.journal.list()[1]?.path).toContain(`from=${encodeURIComponent(sent)}`);
});

it('an AI agent may pick the fields of a screen', async () => {
  const tool = { resource: 'screen', operation: 'get', screenId: screen };
  const fields = async (parameters: INodeParameters) => {
    const { engine } = world;
    const described = engine.package.nodes.get('screenAdvertising')?.description;
    if (!described) throw new Error('The package has no action node.');
    // n8n registers a node that is usable as a tool a second time, under this name.
    described.name = 'screenAdvertisingTool';
    const [item] = await world.items({ ...tool, ...parameters });
    described.name = 'screenAdvertising';
    return Object.keys(item?.json ?? {});
  };
  expect(await fields({ output: 'selectedFields', outputFields: ['city', 'id'] })).toEqual([
    'city',
    'id',
  ]);
  const chosen = { output: "={{ 'Selected Fields' }}", outputFields: "={{ 'city, ID' }}" };
  expect(await fields(chosen)).toEqual(['city', 'id']);
  expect(await fields({ output: 'raw' })).toContain('thumbnail_url');
  expect(await fields({})).toHaveLength(10);
});
