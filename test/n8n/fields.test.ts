import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

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
      `'JSON' must be valid JSON, such as {"crm_id": "42"}, or an expression`,
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
    ...[0, 1.5, "={{ 'abc' }}", '={{ 0 / 0 }}'].map((limit): [INodeParameters, string] => [
      { resource: 'screen', operation: 'getAll', limit },
      "'Limit' must be a whole number, 1 or more",
    ]),
  ])('%j', async (parameters, message) => {
    const { error } = await world.run({ authentication: 'apiKey', ...parameters });
    expect(error?.name).toBe('NodeOperationError');
    expect(error?.message).toBe(message);
    expect(error?.description).toBe(nothingSent);
    expect(world.sandbox.journal.list()).toEqual([]);
  });
});

it('an error names an operation that this version does not have', async () => {
  const { error } = await world.run({ resource: 'coupon', operation: 'redeem' });
  expect(error?.message).toBe(
    'This version of the node has no operation "redeem" for the resource "coupon". Choose one from the lists.',
  );
});

it.each([
  ["={{ '10' }}", 10],
  ['={{ null }}', 50],
  ["={{ '' }}", 50],
])('a limit of %s returns as many as it says, or the default: %d', async (limit, count) => {
  expect(await world.items({ resource: 'screen', operation: 'getAll', limit })).toHaveLength(count);
});

it('empty fields are not sent', async () => {
  await world.run({
    ...coupon,
    additionalFields: { code: '', valid_until: '' },
  });
  expect(JSON.parse(world.sandbox.journal.list()[0]?.requestBody ?? '')).toEqual({
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
  expect(await fields({ output: 'raw' })).toContain('thumbnail_url');
  expect(await fields({})).toHaveLength(10);
});
