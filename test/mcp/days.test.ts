import { expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { callList, callTool } from './support/call.ts';
import { connect } from './support/connect.ts';

/** As models write days. */
const period = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00.000Z' };

it('a day may be written as its start in UTC', async () => {
  const { baseUrl, full } = await start();
  const client = await connect(environment(baseUrl, full));
  const one = { screen_id: 'scr_berlin_0001', ...period };
  expect((await callTool(client, 'get_screen_availability', one)).record).toMatchObject({
    from: '2026-05-01',
    to: '2026-05-31',
  });
  const input = { city: 'Berlin', ...period, fields: ['from'] };
  expect((await callList(client, 'find_available_screens', input)).rows[0]).toEqual(['2026-05-01']);
});

it.each([
  ['get_screen_availability', 'Get Screen Availability', { screen_id: 'scr_berlin_0001' }],
  ['find_available_screens', 'Find Available Screens', {}],
])('%s refuses another moment', async (tool, title, fields) => {
  const { baseUrl, full } = await start();
  const client = await connect(environment(baseUrl, full));
  const given = { ...fields, ...period, from: '2026-04-30T22:00:00Z' };
  expect((await callTool(client, tool, given)).text).toBe(
    `${title} was not sent: from must be a day such as 2027-03-31, without a time, not "2026-04-30T22:00:00Z". Correct the arguments and call the tool again.`,
  );
});

it('a coupon has the same code, however its last day is written', async () => {
  const { baseUrl, full } = await start();
  const client = await connect(environment(baseUrl, full));
  const coupon = { discount_type: 'percent', discount_value: 15, lead_email: 'lead@example.com' };
  const first = await callTool(client, 'create_coupon', { ...coupon, valid_until: '2027-05-01' });
  for (const valid_until of ['2027-05-01T00:00:00Z', '1.5.2027']) {
    const second = await callTool(client, 'create_coupon', { ...coupon, valid_until });
    expect(second.record).toMatchObject({ code: first.record.code, created: false });
  }
});
