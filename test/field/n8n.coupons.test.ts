import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { actionNode } from '../n8n/engine.ts';
import { startWorld, type World } from '../n8n/world.ts';

let world: World;

// Failures use up the retries of an access, so each test gets a new one.
beforeEach(async () => {
  world = await startWorld({ clock: 'frozen' });
});
afterEach(() => world.stop());

const coupon: INodeParameters = {
  authentication: 'apiKey',
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: '={{ $json.email }}',
};
const leads = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` }));
const made = () => world.sandbox.coupons.list();
const requests = () => world.sandbox.journal.list().length;
const before = 'Nothing was created: the lead had this coupon before.';

describe('a user of the editor', () => {
  it('runs a stopped workflow again: it has the coupons of the first run, and makes the missing one', async () => {
    const first = await world.items(coupon, { items: leads.slice(0, 2), executionId: '1' });
    expect(first.map(({ json }) => json.created)).toEqual([true, true]);
    expect(requests()).toBe(2);
    const again = await world.items(coupon, { items: leads });
    expect(again.map(({ json }) => json.created)).toEqual([false, false, true]);
    expect(requests()).toBe(7);
    expect(again.map(({ json }) => json.code)).toEqual(made().map(({ code }) => code));
  });

  it('turns on Retry On Fail, and all responses get lost: the retry has the coupon', async () => {
    const times = 4;
    world.sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', times });
    world.sandbox.faults.add({ fault: 'reset', method: 'GET', times });
    const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const node = { type: 'screenAdvertising', parameters: coupon, ...retries };
    const { output } = await world.engine.runNode(node, { items: leads.slice(0, 1) });
    expect(output(actionNode).map(({ json }) => json)).toMatchObject([
      { code: made()[0]?.code, created: false, coupon_note: `${before} Its status is active.` },
    ]);
    expect(made()).toHaveLength(1);
  });

  it.each([
    [
      'code',
      '=WELCOME-{{ $json.typo }}',
      `'Code' is only "WELCOME-", because the value mapped into it came out empty`,
    ],
    ['code', '={{ $json.typo }}', "'Code' must not be empty"],
    [
      'lead_email',
      '={{ $json.typo }}',
      '\'Lead Email\' must be an email address such as lead@example.com, not ""',
    ],
    [
      'lead_email',
      '={{ $json.typo }} ',
      '\'Lead Email\' must be an email address such as lead@example.com, not ""',
    ],
  ])(
    'gets a coupon by a %s that is %s: hears so, and nothing is sent',
    async (getBy, written, words) => {
      const get = {
        authentication: 'apiKey',
        resource: 'coupon',
        operation: 'get',
        getBy,
        [getBy]: written,
      };
      const { error } = await world.run(get, { items: leads.slice(0, 1) });
      expect(error?.message).toContain(words);
      expect(requests()).toBe(0);
    },
  );

  it.each([
    ['code', "'Code' is only"],
    ['code_prefix', "'Code Prefix' is only"],
  ])(
    'creates a coupon whose %s is only what stands around an expression: hears so',
    async (name, words) => {
      const additionalFields = { [name]: '=WELCOME-{{ $json.typo }}' };
      const { error } = await world.run(
        { ...coupon, additionalFields },
        { items: leads.slice(0, 1) },
      );
      expect(error?.message).toContain(
        `${words} "WELCOME-", because the value mapped into it came out empty`,
      );
      expect(requests()).toBe(0);
    },
  );

  it('enters one Coupon Key in two credentials: both find the coupon, and a short key is refused', async () => {
    const items = leads.slice(0, 1);
    const couponKey = 'the same text wherever it is';
    for (const credential of Object.values(world.engine.credentials)) {
      Object.assign(credential, { couponKey });
    }
    const [first] = await world.items(coupon, { items });
    const other = { ...coupon, authentication: 'clientCredentials' };
    expect((await world.items(other, { items }))[0]?.json.code).toBe(first?.json.code);
    Object.assign(world.engine.credentials.screenAdvertisingApi ?? {}, { couponKey: 'short' });
    expect((await world.run(coupon, { items })).error?.message).toContain(
      'The Coupon Key must have at least 16 characters',
    );
  });
});

describe('an agent', () => {
  it('gives a lead a coupon behind an MCP trigger, which has no execution: hears that the last one is over, and can create another', async () => {
    const items = leads.slice(0, 1);
    const run = async (additionalFields: INodeParameters = {}) => {
      const parameters = { ...coupon, additionalFields };
      const [item] = await world.items(parameters, { items, executionId: '', mode: 'trigger' });
      return item?.json;
    };
    const first = await run();
    world.sandbox.coupons.redeem(String(first?.code));
    expect(await run()).toMatchObject({
      code: first?.code,
      created: false,
      coupon_note: `${before} It is over: its status is redeemed. Whether the lead has another coupon is not known.`,
    });
    expect(await run({ if_lead_had_one: 'create' })).toMatchObject({ created: true });
    expect(made()).toHaveLength(2);
  });
});
