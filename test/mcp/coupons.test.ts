import { describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { callTool } from './support/call.ts';
import { connect, patientClock } from './support/connect.ts';

const input = {
  discount_type: 'percent',
  discount_value: 15,
  lead_email: 'lead@example.com',
  lead_metadata: { crm: { id: 1, kind: 'a' } },
};

async function begin() {
  const service = await start();
  const env = environment(service.baseUrl, service.full);
  const client = await connect(env);
  return { service, env, client, coupons: () => service.sandbox.snapshot().data.coupons };
}

it('the coupon of a lead is found again on another day, in other words, by another server', async () => {
  const { service, env, client, coupons } = await begin();
  const first = await callTool(client, 'create_coupon', input);
  expect(first.record).toMatchObject({ created: true });
  expect(first.record.code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
  const clock = patientClock();
  const nextDay = { ...clock, date: () => clock.now() + 24 * 60 * 60 * 1000 };
  const later = await connect(env, { clock: nextDay });
  const { lead_metadata: _metadata, ...words } = input;
  const again = { ...words, lead_email: 'LEAD@example.com', max_redemptions: 1 };
  const { lead_email: _address, ...same } = first.record;
  expect((await callTool(later, 'create_coupon', again)).record).toMatchObject({
    ...same,
    created: false,
    coupon_note: 'Nothing was created: the lead had this coupon before. Its status is active.',
  });
  const key = { SCREEN_ADVERTISING_COUPON_KEY: 'a key that outlives the secret' };
  const other = await connect({ ...environment(service.baseUrl, service.second), ...key });
  const second = await callTool(other, 'create_coupon', input);
  expect(second.record.code).not.toBe(first.record.code);
  expect(coupons()).toHaveLength(2);
});

it('a model finds the coupon of a lead, and reads what is not known', async () => {
  const { client } = await begin();
  const { record } = await callTool(client, 'create_coupon', input);
  await callTool(client, 'revoke_coupon', { code: record.code });
  const lead = { lead_email: 'lead@example.com' };
  expect((await callTool(client, 'find_coupon', lead)).record).toMatchObject({
    code: record.code,
    coupon_note:
      'This is the newest coupon that was made for this lead with this prefix and key. It is over: its status is revoked. Whether the service would create another one is not known until you try.',
  });
  const spring = await callTool(client, 'find_coupon', { ...lead, code_prefix: 'SPRING-' });
  expect(spring).toMatchObject({ isError: true });
  expect(spring.text).toBe(
    'Find Coupon found no coupon of lead@example.com that was made with this prefix and key. A coupon may exist that was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed. Only its code finds that one. Do not retry with the same arguments.',
  );
});

it('a revoked coupon is returned as what it is, and another one is created on request', async () => {
  const { client, coupons } = await begin();
  const { record } = await callTool(client, 'create_coupon', input);
  await callTool(client, 'revoke_coupon', { code: record.code });
  expect((await callTool(client, 'create_coupon', input)).record).toMatchObject({
    code: record.code,
    status: 'revoked',
    created: false,
    coupon_note:
      'Nothing was created: the lead had this coupon before. It is over: its status is revoked. Whether the lead has another coupon is not known.',
  });
  const another = { ...input, if_lead_had_one: 'create' };
  const next = await callTool(client, 'create_coupon', another);
  expect(next.record).toMatchObject({ status: 'active', created: true });
  expect((await callTool(client, 'create_coupon', another)).record).toMatchObject({
    code: next.record.code,
    created: false,
  });
  expect(coupons()).toHaveLength(2);
});

it('a coupon that cannot be created says what the model can do', async () => {
  const { client } = await begin();
  const { record } = await callTool(client, 'create_coupon', input);
  const other = await callTool(client, 'create_coupon', { ...input, discount_value: 20 });
  expect(other).toMatchObject({ isError: true });
  expect(other.text).toContain(
    `lead@example.com has the coupon ${record.code} with 15 percent instead of 20 percent.`,
  );
  expect(other.text).toMatch(/Do not retry with the same arguments\.$/);
  const wrong = await callTool(client, 'create_coupon', { ...input, discount_value: 115 });
  expect(wrong.text).toBe(
    'Create Coupon was not sent: discount_value must be at most 100 when the discount type is percent, not 115. Correct the arguments and call the tool again.',
  );
});

describe('revoking a coupon again', () => {
  it('returns its state, and says that nothing was changed', async () => {
    const { env } = await begin();
    const client = await connect(env);
    const { record } = await callTool(client, 'create_coupon', input);
    const first = await callTool(client, 'revoke_coupon', { code: record.code });
    expect(first.record).toMatchObject({ status: 'revoked', revoked: true });
    const second = await callTool(client, 'revoke_coupon', { code: record.code });
    expect(second).toMatchObject({
      isError: false,
      record: {
        code: record.code,
        status: 'revoked',
        revoked: false,
        note: 'Nothing was changed: the coupon was no longer active. Its status is "revoked".',
      },
    });
  });

  it('of a code that does not exist stays an error', async () => {
    const { env } = await begin();
    const client = await connect(env);
    const { isError, text } = await callTool(client, 'revoke_coupon', { code: 'NONE' });
    expect(isError).toBe(true);
    expect(text).toContain('Revoke Coupon failed: not found (404).');
  });
});
