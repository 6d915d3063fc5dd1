import { expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';

const input = {
  discount_type: 'percent',
  discount_value: 15,
  lead_email: 'lead@example.com',
  lead_metadata: { crm: { id: 1, kind: 'a' } },
};

async function begin() {
  const { baseUrl, full } = await start();
  return { client: await connect(environment(baseUrl, full)) };
}

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

it('a coupon is revoked by a code as it was copied, and again without an error', async () => {
  const { client } = await begin();
  const { record } = await callTool(client, 'create_coupon', input);
  const first = await callTool(client, 'revoke_coupon', { code: ` ${record.code}\u200b` });
  expect(first.record).toMatchObject({ status: 'revoked', revoked: true });
  expect(await callTool(client, 'revoke_coupon', { code: record.code })).toMatchObject({
    isError: false,
    record: {
      status: 'revoked',
      revoked: false,
      note: 'Nothing was changed: the coupon was no longer active. Its status is "revoked".',
    },
  });
  const none = await callTool(client, 'revoke_coupon', { code: 'NONE' });
  expect(none.isError).toBe(true);
  expect(none.text).toContain('Revoke Coupon failed: not found (404).');
});
