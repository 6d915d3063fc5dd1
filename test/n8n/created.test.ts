import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { EngineNode, RunOptions } from './engine/engine.ts';
import { startWorld, type World } from './world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

const parameters: INodeParameters = {
  authentication: 'apiKey',
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: '={{ $json.email }}',
  additionalFields: { code: '={{ $json.code }}' },
  options: { safeRetries: true },
};
const create = { type: 'screenAdvertising', parameters } as const;
const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const lead = (code: string) => ({ code, email: `${code.toLowerCase()}@example.com` });
const leads = ['A', 'B', 'C'].map(lead);

async function run(node: Partial<EngineNode> = {}, options: RunOptions = { items: leads }) {
  return await world.engine.runNode({ ...create, ...node }, options);
}

const told = (items: readonly { json: IDataObject }[]) =>
  items.map(({ json }) => json.created ?? json.created_note ?? 'error');
const posts = () => world.sandbox.journal.list().filter(({ method }) => method === 'POST').length;

describe("with n8n's Retry On Fail, which runs all items again", () => {
  it.each([
    ['continueRegularOutput', ['error', true, true, true]],
    ['continueErrorOutput', [true, true, true]],
  ] as const)(
    'a coupon is new in the second attempt, with On Error %s',
    async (onError, expected) => {
      const items = [{ code: 'W', email: 'wrong' }, ...leads];
      const { error, output } = await run({ ...retried, onError }, { items });
      expect(error).toBeUndefined();
      expect(posts()).toBeGreaterThan(leads.length);
      expect(told(output('Screen Advertising'))).toEqual(expected);
    },
  );

  it('a coupon is new in the second attempt, after an item that failed once', async () => {
    world.sandbox.faults.add({ fault: 'status', status: 422, path: '/coupons', skip: 2, times: 1 });
    const { error, output } = await run(retried);
    expect(error).toBeUndefined();
    expect(posts()).toBeGreaterThan(leads.length);
    expect(told(output('Screen Advertising'))).toEqual([true, true, true]);
  });

  it('a coupon of an earlier execution is not new in any attempt', async () => {
    await run({}, { items: [lead('B')], executionId: 'earlier' });
    const items = [{ code: 'W', email: 'wrong' }, ...leads];
    const node = { ...retried, onError: 'continueRegularOutput' } as const;
    const { output } = await run(node, { items });
    expect(told(output('Screen Advertising'))).toEqual(['error', true, false, true]);
  });
});

it('a coupon is new after the retry of a failed execution', async () => {
  world.sandbox.faults.add({ fault: 'status', status: 422, path: '/coupons', skip: 2, times: 1 });
  const failed = await run();
  expect(failed.error).toBeDefined();
  const again = await world.engine.retry(failed);
  expect(again.error).toBeUndefined();
  expect(told(again.output('Screen Advertising'))).toEqual([true, true, true]);
});

it('a generated code is the same in the retry of a failed execution', async () => {
  world.sandbox.faults.add({ fault: 'status', status: 422, path: '/coupons', skip: 2, times: 1 });
  const failed = await run({ parameters: { ...parameters, additionalFields: {} } });
  const again = await world.engine.retry(failed);
  expect(again.error).toBeUndefined();
  expect(told(again.output('Screen Advertising'))).toEqual([true, true, true]);
  expect(world.sandbox.coupons.list()).toHaveLength(3);
});

describe('created is null, with a reason,', () => {
  it('when a response got lost', async () => {
    world.sandbox.faults.add({ fault: 'reset', when: 'after', path: '/coupons', times: 1 });
    const { output } = await run({}, { items: [lead('A')] });
    expect(output('Screen Advertising')[0]?.json).toMatchObject({
      code: 'A',
      created: null,
      created_note: 'Not known: a response got lost',
    });
  });

  it('when every response of the first attempt got lost', async () => {
    const times = 4;
    world.sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', times });
    world.sandbox.faults.add({ fault: 'reset', method: 'GET', times });
    const { error, output } = await run(retried, { items: [lead('A')] });
    expect(error).toBeUndefined();
    expect(told(output('Screen Advertising'))).toEqual(['Not known: a response got lost']);
  });

  it('when two items have the same code', async () => {
    const { output } = await run({}, { items: [lead('A'), lead('A')] });
    expect(told(output('Screen Advertising'))).toEqual([
      true,
      'Not known: another item or run of this execution created it',
    ]);
  });

  it('when another workflow runs this one, and may have run it before', async () => {
    const first = await run({}, { items: leads, mode: 'integrated' });
    expect(told(first.output('Screen Advertising'))).toEqual([true, true, true]);
    const { output } = await run({}, { items: leads, mode: 'integrated' });
    expect(told(output('Screen Advertising'))).toEqual(
      Array(3).fill('Not known: a workflow that ran this one may have run it before'),
    );
  });
});

it('a request that failed before it changed anything does not make a coupon of before new', async () => {
  await run({}, { items: [lead('A')], executionId: 'earlier' });
  world.sandbox.faults.add({ fault: 'status', status: 422, path: '/coupons', times: 1 });
  const { output } = await run(retried, { items: [lead('A')] });
  expect(told(output('Screen Advertising'))).toEqual([false]);
});
