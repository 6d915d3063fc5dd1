import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from './world.ts';

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
const told = (items: readonly { json: { created?: unknown; error?: unknown } }[]) =>
  items.map(({ json }) => json.created ?? json.error ?? null);
const made = () => world.sandbox.coupons.list();
const requests = () => world.sandbox.journal.list().length;

it('a rerun of an execution, and one without an ID, find the coupons that a killed run made', async () => {
  const first = await world.items(coupon, { items: leads.slice(0, 2), executionId: '1' });
  expect(told(first)).toEqual([true, true]);
  expect(requests()).toBe(2);
  const again = await world.items(coupon, { items: leads, executionId: '' });
  expect(told(again)).toEqual([false, false, true]);
  expect(requests()).toBe(7);
  expect(again.map(({ json }) => json.code)).toEqual(made().map(({ code }) => code));
});

it("n8n's Retry On Fail finds the coupon whose responses all got lost", async () => {
  const times = 4;
  world.sandbox.faults.add({ fault: 'reset', when: 'after', method: 'POST', times });
  world.sandbox.faults.add({ fault: 'reset', method: 'GET', times });
  const { error, output } = await world.engine.runNode(
    {
      type: 'screenAdvertising',
      parameters: coupon,
      retryOnFail: true,
      maxTries: 2,
      waitBetweenTries: 1,
    },
    { items: leads.slice(0, 1) },
  );
  expect(error).toBeUndefined();
  expect(output('Screen Advertising').map(({ json }) => json)).toMatchObject([
    {
      code: made()[0]?.code,
      created: false,
      coupon_note: 'Nothing was created: the lead had this coupon before. Its status is active.',
    },
  ]);
  expect(made()).toHaveLength(1);
});

it('Create Another follows a coupon that is over, and Get finds the newest one by its lead', async () => {
  const items = leads.slice(0, 1);
  const another = { ...coupon, additionalFields: { if_lead_had_one: 'create' } };
  const [first] = await world.items(coupon, { items });
  await world.items({ ...coupon, operation: 'revoke', code: String(first?.json.code) });
  const [over] = await world.items(coupon, { items });
  expect(over?.json).toMatchObject({ code: first?.json.code, status: 'revoked', created: false });
  const [next] = await world.items(another, { items });
  expect(next?.json).toMatchObject({ status: 'active', created: true });
  expect(told(await world.items(another, { items }))).toEqual([false]);
  const get = { ...coupon, operation: 'get', getBy: 'lead_email' };
  const [found] = await world.items(get, { items });
  expect(found?.json.code).toBe(next?.json.code);
  const { error } = await world.run({ ...get, lead_email: 'other@example.com' });
  expect(error?.message).toBe(
    'Get Coupon found no coupon of other@example.com that was made with this prefix and key',
  );
  expect(made()).toHaveLength(2);
});

it('other terms and a coupon from elsewhere are conflicts that say what to do', async () => {
  const items = leads.slice(0, 1);
  const [first] = await world.items(coupon, { items });
  const { error } = await world.run({ ...coupon, discount_value: 20 }, { items });
  expect(error).toMatchObject({
    httpCode: '409',
    message: `Create Coupon created nothing: a@example.com has the coupon ${first?.json.code} with 10 percent instead of 20 percent`,
    description: expect.stringContaining(
      'Ask for these terms, revoke it first, or give each campaign its own Code Prefix.',
    ),
  });
  const prefixed = { ...coupon, additionalFields: { code_prefix: 'SPRING-' } };
  expect((await world.run(prefixed, { items })).error?.message).toBe(
    'Create Coupon created nothing: a@example.com has an active coupon that was not made with this prefix and key',
  );
});

it('a Coupon Key finds the coupons of another credential, and is refused if it is short', async () => {
  const items = leads.slice(0, 1);
  const { screenAdvertisingApi: key, screenAdvertisingClientCredentialsApi: secret } =
    world.engine.credentials;
  const couponKey = 'the same text wherever it is';
  Object.assign(key ?? {}, { couponKey });
  Object.assign(secret ?? {}, { couponKey });
  const [first] = await world.items(coupon, { items });
  const other = { ...coupon, authentication: 'clientCredentials' };
  expect((await world.items(other, { items }))[0]?.json.code).toBe(first?.json.code);
  Object.assign(key ?? {}, { couponKey: 'short' });
  expect((await world.run(coupon, { items })).error?.message).toContain(
    'The Coupon Key must have at least 16 characters',
  );
});
