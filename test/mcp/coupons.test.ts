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

async function begin(clock = patientClock()) {
  const service = await start();
  const env = environment(service.baseUrl, service.full);
  const coupons = () => service.sandbox.snapshot().data.coupons;
  return { service, env, coupons, clock };
}

describe('a coupon without a code', () => {
  it('is found by a duplicate call, whatever the order of its arguments', async () => {
    const { env, coupons } = await begin();
    const client = await connect(env);
    const first = await callTool(client, 'create_coupon', input);
    const { lead_email, lead_metadata, ...others } = input;
    const metadata = { crm: { kind: 'a', id: 1 } };
    const again = { lead_metadata: metadata, lead_email, ...others };
    const second = await callTool(client, 'create_coupon', again);
    expect(first.record.code).toMatch(/^[2-9A-HJ-NP-Z]{12}$/);
    expect(second.record).toEqual({
      ...first.record,
      created: false,
      note: 'Nothing was created: this coupon already existed. Its status is "active". To create another one, pass a new code.',
    });
    expect(coupons()).toHaveLength(1);
  });

  it('has a different code for other arguments, another day, or another access', async () => {
    const { env, service, clock } = await begin();
    const codeOf = async (changes: object, options = {}, of = env) => {
      const client = await connect(of, { clock, ...options });
      const { record, text } = await callTool(client, 'create_coupon', { ...input, ...changes });
      await callTool(client, 'revoke_coupon', { code: record.code });
      return record.code ?? text;
    };
    const nextDay = { ...clock, date: () => clock.now() + 24 * 60 * 60 * 1000 };
    const codes = [
      await codeOf({}),
      await codeOf({ discount_value: 20 }),
      await codeOf({}, { clock: nextDay }),
      await codeOf({}, {}, environment(service.baseUrl, service.second)),
    ];
    expect(new Set(codes).size).toBe(4);
    expect(codes.join(' ')).toMatch(/^(?:[2-9A-HJ-NP-Z]{12} ?){4}$/);
  });
});

describe('a coupon that cannot be created', () => {
  it('says what the model can do', async () => {
    const { env } = await begin();
    const client = await connect(env);
    await callTool(client, 'create_coupon', input);
    const other = await callTool(client, 'create_coupon', { ...input, discount_value: 20 });
    expect(other).toMatchObject({ isError: true });
    expect(other.text).toMatch(/409.*Do not retry with the same arguments\.$/);
    const wrong = await callTool(client, 'create_coupon', { ...input, discount_value: 115 });
    expect(wrong.text).toBe(
      'Create Coupon was not sent: discount_value must be at most 100 when the discount type is percent, not 115. Correct the arguments and call the tool again.',
    );
  });
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
