import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const nothingSent =
  'Nothing was sent. Change the field in this node, or the expression that fills it.';
const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: 'lead@example.com',
};
const link = { resource: 'landingLink', operation: 'create' };
const named = (...field: Array<{ name: string; value: string }>) => ({ field });
const screen = { __rl: true, mode: 'id', value: 'scr_berlin_0001' };

describe('a field that cannot be sent is told by its label', () => {
  it.each<[parameters: INodeParameters, message: string]>([
    [
      { ...coupon, discount_value: 101 },
      'Discount Value must be at most 100 when the discount type is percent',
    ],
    [{ ...coupon, discount_value: 0 }, 'Discount Value must be greater than 0'],
    [{ ...coupon, lead_email: "={{ '' }}" }, 'Lead Email is required'],
    [
      { ...coupon, additionalFields: { max_redemptions: 1001 } },
      'Maximum Redemptions must be at most 1000',
    ],
    [
      { ...coupon, additionalFields: { lead_metadata: '{"crm_id": ' } },
      'Lead Metadata must be valid JSON, such as {"crm_id": "42"}, or an expression',
    ],
    [
      {
        ...coupon,
        additionalFields: {
          lead_metadata: '{"crm_id": "42"}',
          leadMetadataFields: named({ name: 'crm_id', value: '42' }),
        },
      },
      'Lead Metadata is given as JSON and as fields: keep one of the two',
    ],
    [
      { ...link, fields: named({ name: 'a', value: '1' }, { name: 'a', value: '2' }) },
      'a is given twice',
    ],
    [{ ...link, fields: named({ name: ' ', value: '1' }) }, 'every field needs a name'],
    [
      { ...link, specifyFields: 'json', fieldsJson: '{' },
      'JSON must be valid JSON, such as {"crm_id": "42"}, or an expression',
    ],
    [
      { ...link, specifyFields: 'json', fieldsJson: '[1]' },
      'JSON must be an object of fields, such as {"utm_campaign": "spring"}',
    ],
    [
      {
        resource: 'screen',
        operation: 'getAvailability',
        screenId: screen,
        from: '1 March',
        to: '2027-03-31',
      },
      'From must be a calendar date written YYYY-MM-DD, such as 2026-03-31',
    ],
    [
      {
        resource: 'screen',
        operation: 'getAvailability',
        screenId: screen,
        from: "={{ new Date('never') }}",
        to: '2027-03-31',
      },
      'From must be a calendar date written YYYY-MM-DD, such as 2026-03-31',
    ],
    [
      { resource: 'screen', operation: 'getAll', filters: { country: 'Germany' } },
      'Country must be a country code of 2 letters, such as DE',
    ],
    ...[0, -1, 1.5, "={{ 'abc' }}", '={{ 0 / 0 }}', '={{ [] }}'].map(
      (limit): [INodeParameters, string] => [
        { resource: 'screen', operation: 'getAll', limit },
        'Limit must be a whole number, 1 or more',
      ],
    ),
    [
      { resource: 'user', operation: 'lookUp', lookUpBy: 'vat_uid', vat_uid: "={{ '' }}" },
      'VAT Identifier must not be empty',
    ],
  ])('%j', async (parameters, message) => {
    world.sandbox.journal.clear();
    const { error } = await world.run({ authentication: 'apiKey', ...parameters });
    expect(error?.name).toBe('NodeOperationError');
    expect(error?.message).toBe(message);
    expect(error?.description).toBe(nothingSent);
    expect(world.sandbox.journal.list()).toEqual([]);
  });
});

it('an operation of another version is told', async () => {
  const { error } = await world.run({ resource: 'coupon', operation: 'redeem' });
  expect(error?.message).toBe(
    'This version of the node has no operation "redeem" for the resource "coupon". Choose one from the lists.',
  );
});

it.each([
  ["={{ '10' }}", 10],
  ['={{ null }}', 50],
  ["={{ '' }}", 50],
  ['={{ undefined }}', 50],
])(
  'a limit of %s gives as many as it says, or as when it is left alone: %d',
  async (limit, count) => {
    world.sandbox.reset();
    expect(await world.items({ resource: 'screen', operation: 'getAll', limit })).toHaveLength(
      count,
    );
  },
);

it('fields that stay empty are not sent', async () => {
  world.sandbox.journal.clear();
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

describe('dates that the service takes as text', () => {
  const collections = () =>
    (world.engine.package.nodes.get('screenAdvertising')?.description.properties ?? []).filter(
      ({ name }) => name === 'additionalFields' || name === 'filters',
    );

  it.each(['valid_until', 'from', 'to'])('%s has a date picker', (name) => {
    const entries = collections().flatMap(({ options = [] }) => options as INodeProperties[]);
    const fields = entries.filter((entry) => entry.name === name);
    expect(fields.map(({ type }) => type)).toEqual(['dateTime']);
  });

  it.each([
    ['2099-03-31T00:00:00', '2099-03-31'],
    ['2099-03-31', '2099-03-31'],
    ['2099-03-31T23:59:59Z', '2099-03-31T23:59:59Z'],
    [
      "={{ DateTime.fromISO('2099-03-31T12:00:00Z', { zone: 'utc' }) }}",
      '2099-03-31T12:00:00.000Z',
    ],
  ])('%j is sent as %j', async (given, sent) => {
    world.sandbox.reset();
    await world.items({ ...coupon, additionalFields: { valid_until: given } });
    const [call] = world.sandbox.journal.list();
    expect(JSON.parse(call?.requestBody ?? '')).toMatchObject({ valid_until: sent });
    const list = { resource: 'campaignRequest', operation: 'getAll', filters: { from: given } };
    await world.run({ authentication: 'apiKey', ...list });
    expect(world.sandbox.journal.list()[1]?.path).toContain(`from=${encodeURIComponent(sent)}`);
  });
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
  expect(await fields({})).toHaveLength(11);
});

describe('safe retries', () => {
  const safe = { ...coupon, options: { safeRetries: true } };
  const sentCoupons = () =>
    world.sandbox.journal
      .list()
      .filter(({ method }) => method === 'POST')
      .map(({ requestBody }) => JSON.parse(requestBody ?? '') as Record<string, unknown>);

  it('find the coupon of an earlier try of the same execution', async () => {
    world.sandbox.reset();
    const first = await world.items(safe, { executionId: '7' });
    const again = await world.items(safe, { executionId: '7' });
    expect(again[0]?.json).toEqual(first[0]?.json);
    expect(world.sandbox.coupons.list()).toHaveLength(1);
  });

  it('make another code for each execution and item', async () => {
    world.sandbox.reset();
    const parameters = { ...safe, lead_email: '={{ $json.lead }}' };
    const leads = ['a', 'b', 'c', 'd'].map((name) => ({ lead: `${name}@example.com` }));
    await world.items(parameters, { executionId: '8', items: leads.slice(0, 2) });
    await world.items(parameters, { executionId: '9', items: leads.slice(2) });
    expect(new Set(world.sandbox.coupons.list().map(({ code }) => code)).size).toBe(4);
  });

  it('make the same code with each try, though expressions give other values', async () => {
    world.sandbox.reset();
    const changing = {
      ...safe,
      additionalFields: {
        valid_until: '={{ $now.plus({ days: 30 }) }}',
        lead_metadata: '={{ ({ try: Math.random() }) }}',
      },
    };
    const first = await world.items(changing, { executionId: '12' });
    expect((await world.items(changing, { executionId: '12' }))[0]?.json).toEqual(first[0]?.json);
    const [one, other] = sentCoupons();
    expect(one?.valid_until).not.toBe(other?.valid_until);
    expect(world.sandbox.coupons.list()).toHaveLength(1);
  });

  it.each([
    [{}, /^N8N-[2-9A-Z]{12}$/],
    [{ codePrefix: ' SPRING-' }, /^SPRING-[2-9A-Z]{12}$/],
    [{ codePrefix: '' }, /^[2-9A-Z]{12}$/],
  ])('make up a code that customers see, with the options %j', async (options, code) => {
    world.sandbox.reset();
    const [item] = await world.items({ ...safe, options: { ...safe.options, ...options } });
    expect(item?.json.code).toMatch(code);
  });

  it('make another code for each lead', async () => {
    world.sandbox.reset();
    const leads = ['a@example.com', 'b@example.com'];
    for (const lead_email of leads) {
      await world.items({ ...safe, lead_email }, { executionId: '14' });
    }
    expect(world.sandbox.coupons.list().map(({ lead_email }) => lead_email)).toEqual(leads);
  });

  it('make another code for each node, and each run of a node, in an execution', async () => {
    world.sandbox.reset();
    const to = (...names: string[]) => ({
      main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
    });
    const create = (name: string) =>
      ({ name, type: 'screenAdvertising', parameters: safe }) as const;
    await world.engine.runWorkflow(
      [
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
        { name: 'Again', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
        create('First'),
        create('Second'),
      ].map((node) => ({ ...node, onError: 'continueRegularOutput' })),
      {
        connections: { Start: to('First', 'Again'), Again: to('First'), First: to('Second') },
        executionId: '13',
      },
    );
    const codes = sentCoupons().map(({ code }) => code);
    expect(codes).toHaveLength(4);
    expect(new Set(codes).size).toBe(4);
  });

  it('take a coupon of another execution for another one', async () => {
    world.sandbox.reset();
    const [first] = await world.items(safe, { executionId: '10' });
    const code = String(first?.json.code);
    await world.items({ resource: 'coupon', operation: 'revoke', code });
    const [second] = await world.items(safe, { executionId: '11' });
    expect(second?.json).toMatchObject({ status: 'active' });
    expect(second?.json.code).not.toBe(code);
  });

  it('find the coupon of an earlier execution by a code of the user', async () => {
    world.sandbox.reset();
    const own = { ...safe, additionalFields: { code: 'SPRING-25' } };
    const first = await world.items(own);
    expect((await world.items(own))[0]?.json).toEqual(first[0]?.json);
    expect(world.sandbox.coupons.list()).toHaveLength(1);
  });

  it('leave a conflict a conflict when the code is that of another lead', async () => {
    world.sandbox.reset();
    const own = { ...safe, additionalFields: { code: 'SPRING-25' } };
    await world.items(own);
    const { error } = await world.run({ ...own, lead_email: 'other@example.com' });
    expect(error?.message).toBe('The coupon code "SPRING-25" is taken (409)');
  });

  it('are off unless chosen: a code of the user that is taken is a conflict', async () => {
    world.sandbox.reset();
    const own = { ...coupon, additionalFields: { code: 'SPRING-25' } };
    await world.items(own);
    expect((await world.run(own)).error?.message).toContain('(409)');
  });
});
