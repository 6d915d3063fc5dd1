import { expect, it } from '@jest/globals';
import { encode } from 'gpt-tokenizer';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';
import { callList, recordsIn } from './support/lists.ts';

/** A client that counts what a model writes and reads. */
async function begin() {
  const service = await start({ screens: 480 });
  const client = await connect(environment(service.baseUrl, service.full));
  const spent = { calls: 0, tokens: 0 };
  const send = client.callTool.bind(client);
  client.callTool = async (call, options) => {
    const result = await send(call, options);
    spent.calls += 1;
    spent.tokens += encode(JSON.stringify(call)).length;
    spent.tokens += encode(JSON.stringify(result.content)).length;
    return result;
  };
  return { ...service, client, spent };
}

const lead = { discount_type: 'percent', discount_value: 15, lead_email: 'lead@example.com' };

/** What a model does for each wish, with as many calls and at most as many tokens. */
type Agent = Awaited<ReturnType<typeof begin>>;
const wishes: readonly [string, number, number, (agent: Agent) => Promise<unknown>, unknown][] = [
  [
    'screens near the station for 500 euros a week',
    1,
    320,
    async ({ client }) => {
      const near = { near: '52.5251, 13.3694', budget_cents: 50_000, limit: 3 };
      const week = { from: '2027-03-01', to: '2027-03-07' };
      const list = await callList(client, 'find_available_screens', { ...week, ...near });
      return [recordsIn(list).map(({ screen_id }) => screen_id), list.note];
    },
    [
      ['scr_berlin_0016', 'scr_berlin_0011', 'scr_berlin_0012'],
      'Sold out in this period: 14 screens. Above the budget: 86 screens, the cheapest for 500.50 (50050 cents).',
    ],
  ],
  [
    'a coupon for a lead, and the same one again',
    2,
    340,
    async ({ client }) => {
      const first = await callTool(client, 'create_coupon', lead);
      const again = await callTool(client, 'create_coupon', lead);
      const isSame = first.record.code === again.record.code;
      return [isSame, first.record.created, again.record.created, again.record.coupon_note];
    },
    [
      true,
      true,
      false,
      'Nothing was created: the lead had this coupon before. Its status is active.',
    ],
  ],
  [
    'the coupon of a lead revoked, twice',
    4,
    660,
    async ({ client }) => {
      await callTool(client, 'create_coupon', lead);
      const { record } = await callTool(client, 'get_coupon', { lead_email: lead.lead_email });
      const first = await callTool(client, 'revoke_coupon', { code: record.code });
      const again = await callTool(client, 'revoke_coupon', { code: record.code });
      return [first.record.revoked, again.record.revoked, again.isError, again.record.note];
    },
    [
      true,
      false,
      false,
      'Nothing was changed: the coupon was no longer active. Its status is "revoked".',
    ],
  ],
  [
    'whether somebody registered through us',
    1,
    75,
    async ({ client }) =>
      (await callTool(client, 'look_up_user', { email: 'nobody@example.com' })).record,
    { exists: false, referred_by_you: false },
  ],
  [
    'a landing link with a coupon code, which a link cannot carry by itself',
    1,
    85,
    async ({ client }) =>
      (await callTool(client, 'create_landing_link', { utm_campaign: 'spring', code: 'WELCOME' }))
        .text,
    'Create Landing Link was not sent: code is unknown: put a field that you agreed on with the Screen Advertising team into other_fields. Correct the arguments and call the tool again.',
  ],
  [
    'requests that were rejected in May',
    1,
    130,
    async ({ client }) => {
      const may = { status: 'rejected', from: '2026-05-01', to: '2026-05-31' };
      const list = await callList(client, 'list_campaign_requests', may);
      return [list.rows.length, list.has_more];
    },
    [2, false],
  ],
  [
    'why a coupon does not work',
    1,
    90,
    async ({ client }) => (await callTool(client, 'get_coupon', { code: 'WELCOME-1' })).text,
    'Get Coupon failed: not found (404). The service says: "There is no coupon WELCOME-1." Check code. Do not retry with the same arguments.',
  ],
];

it.each(wishes)('%s: %d calls, at most %d tokens', async (_wish, calls, tokens, act, outcome) => {
  const agent = await begin();
  expect(await act(agent)).toEqual(outcome);
  expect(agent.spent.calls).toBe(calls);
  expect(agent.spent.tokens).toBeLessThanOrEqual(tokens);
  expect(agent.spent.tokens).toBeGreaterThan(tokens * 0.7);
});

it.each([
  ['list_screens', '/screens'],
  ['list_campaign_requests', '/campaign-requests'],
])('%s takes less than half of the tokens of the records themselves', async (name, path) => {
  const { client, spent, read } = await begin();
  const { data } = await read<{ readonly data: readonly object[] }>(`${path}?limit=20`);
  const records = encode(JSON.stringify(data)).length;
  const { rows } = await callList(client, name, { limit: data.length });
  expect(rows).toHaveLength(data.length);
  expect(spent.tokens).toBeLessThan(records / 2);
});
