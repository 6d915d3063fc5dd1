import { describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { patientClock } from '../mcp/support/patient-clock.ts';
import { start } from '../sandbox/support/running-sandbox.ts';

const lead = { lead_email: 'lead@example.com' };
const input = { discount_type: 'percent', discount_value: 15, ...lead };
const before = 'Nothing was created: the lead had this coupon before.';
const over = 'It is over: its status is revoked.';

async function begin() {
  const { sandbox, baseUrl, full, second } = await start();
  const env = environment(baseUrl, full);
  return { sandbox, env, other: environment(baseUrl, second), client: await connect(env) };
}

describe('a model', () => {
  it('asks for the coupon of a lead again on the next day, in other words: gets the same one', async () => {
    const { env, client } = await begin();
    const { record } = await callTool(client, 'create_coupon', { ...input, lead_metadata: [1] });
    expect(record.code).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
    const clock = patientClock();
    const nextDay = { ...clock, date: () => clock.now() + 24 * 60 * 60 * 1000 };
    const later = await connect(env, { clock: nextDay });
    const words = { ...input, lead_email: 'LEAD@example.com', max_redemptions: 1 };
    expect((await callTool(later, 'create_coupon', words)).record).toMatchObject({
      code: record.code,
      created: false,
      coupon_note: `${before} Its status is active.`,
    });
  });

  it('revokes the coupon, and asks for one again: hears that it is over, and can ask for another', async () => {
    const { client, sandbox } = await begin();
    const { record } = await callTool(client, 'create_coupon', input);
    await callTool(client, 'revoke_coupon', { code: record.code });
    expect((await callTool(client, 'create_coupon', input)).record).toMatchObject({
      code: record.code,
      created: false,
      coupon_note: `${before} ${over} Whether the lead has another coupon is not known.`,
    });
    const another = { ...input, if_lead_had_one: 'create' };
    const next = await callTool(client, 'create_coupon', another);
    expect(next.record).toMatchObject({ status: 'active', created: true });
    expect(sandbox.coupons.list()).toHaveLength(2);
  });

  it("is asked why a lead's coupon does not work: finds it, and what is not known", async () => {
    const { client } = await begin();
    const { record } = await callTool(client, 'create_coupon', input);
    await callTool(client, 'revoke_coupon', { code: record.code });
    expect((await callTool(client, 'get_coupon', lead)).record).toMatchObject({
      code: record.code,
      coupon_note: `This is the newest coupon that was made for this lead with this prefix and key. ${over} Whether the service would create another one is not known until you try.`,
    });
    const spring = await callTool(client, 'get_coupon', { ...lead, code_prefix: 'SPRING-' });
    expect(spring).toMatchObject({ isError: true });
    expect(spring.text).toBe(
      'Get Coupon found no coupon of lead@example.com that was made with this prefix and key. A coupon may exist that was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed. Only its code finds that one. Do not retry with the same arguments.',
    );
  });

  it('uses another access with a Coupon Key: has other coupons', async () => {
    const { client, other, sandbox } = await begin();
    const { record } = await callTool(client, 'create_coupon', input);
    const key = { SCREEN_ADVERTISING_COUPON_KEY: 'a key that outlives the secret' };
    const second = await callTool(await connect({ ...other, ...key }), 'create_coupon', input);
    expect(second.record.code).not.toBe(record.code);
    expect(sandbox.coupons.list()).toHaveLength(2);
  });
});
