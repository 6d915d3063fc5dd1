import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: 'lead@example.com',
};
const safe = { ...coupon, options: { safeRetries: true } };
const changing = {
  ...safe,
  additionalFields: {
    valid_until: '={{ $now.plus({ days: 30 }) }}',
    lead_metadata: { field: [{ name: 'try', value: '={{ Math.random() }}' }] },
  },
};
const sentCoupons = () =>
  world.sandbox.journal
    .list()
    .filter(({ method }) => method === 'POST')
    .map(({ requestBody }) => JSON.parse(requestBody ?? '') as Record<string, unknown>);

it('safe retries generate another code for each execution and item', async () => {
  const parameters = { ...safe, lead_email: '={{ $json.lead }}' };
  const leads = ['a', 'b', 'c', 'd'].map((name) => ({ lead: `${name}@example.com` }));
  await world.items(parameters, { executionId: '8', items: leads.slice(0, 2) });
  await world.items(parameters, { executionId: '9', items: leads.slice(2) });
  expect(new Set(world.sandbox.coupons.list().map(({ code }) => code)).size).toBe(4);
});

it('safe retries generate the same code with each attempt, though expressions return other values', async () => {
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
])(
  'safe retries generate a code that customers see, with the options %j',
  async (options, code) => {
    const [item] = await world.items({ ...safe, options: { ...safe.options, ...options } });
    expect(item?.json.code).toMatch(code);
  },
);

it('safe retries generate another code for each node, and each run of a node, in an execution', async () => {
  const to = (...names: string[]) => ({
    main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
  });
  const create = (name: string) => ({ name, type: 'screenAdvertising', parameters: safe }) as const;
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

it("safe retries find the coupon of an attempt without any response in n8n's own retry", async () => {
  const times = 4;
  world.sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', times });
  world.sandbox.faults.add({ fault: 'reset', method: 'GET', times });
  const result = await world.engine.runNode({
    type: 'screenAdvertising',
    parameters: changing,
    retryOnFail: true,
    maxTries: 2,
    waitBetweenTries: 1,
  });
  expect(result.error).toBeUndefined();
  expect(world.sandbox.faults.list().map(({ triggered }) => triggered)).toEqual([times, times]);
  expect(result.output('Screen Advertising').map(({ json }) => json.code)).toEqual(
    world.sandbox.coupons.list().map(({ code }) => code),
  );
});

it('safe retries find the coupon of an earlier execution by a code from the user', async () => {
  const own = { ...safe, additionalFields: { code: 'SPRING-25' } };
  const first = await world.items(own);
  expect(first[0]?.json.created).toBe(true);
  expect((await world.items(own))[0]?.json).toEqual({ ...first[0]?.json, created: false });
  expect(world.sandbox.coupons.list()).toHaveLength(1);
});

it('safe retries keep a conflict a conflict when the code belongs to another lead', async () => {
  const own = { ...safe, additionalFields: { code: 'SPRING-25' } };
  await world.items(own);
  const { error } = await world.run({ ...own, lead_email: 'other@example.com' });
  expect(error?.message).toBe('A coupon with the code "SPRING-25" already exists (409)');
  expect(error?.description).toContain("'Safe Retries' returns an existing coupon only if");
  expect(`${error?.message} ${error?.description}`.match(/taken/g)).toHaveLength(1);
});

it("safe retries are off by default: a user's code that is taken is a conflict", async () => {
  const own = { ...coupon, additionalFields: { code: 'SPRING-25' } };
  await world.items(own);
  expect((await world.run(own)).error?.message).toContain('(409)');
});
