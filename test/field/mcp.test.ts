import { afterEach, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../packages/relay/src/base/secrets.ts';
import { environment } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { callList } from '../mcp/support/lists.ts';
import { relayEnvironment } from '../mcp/support/relay-environment.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { ScriptedService } from '../shared/support/scripted-service.ts';

const relay = new ScriptedService();
afterEach(() => relay.stop().catch(() => undefined));

const period = { from: '2027-03-01', to: '2027-03-31' };

/** A client of the server, and the sandbox behind it. */
async function open() {
  const service = await start();
  const client = await connect(environment(service.baseUrl, service.full));
  return { client, ...service };
}

describe('a model', () => {
  it.each([
    [
      { budget_cents: 500 },
      /Above the budget: \d+ screens, the cheapest for \d+\.\d\d \(\d+ cents\)\.$/,
    ],
    [
      { near: '52.5251, 13.3694', radius_km: 0.001 },
      /^Beyond the radius: \d+ screens, the nearest [\d.]+ km away\.$/,
    ],
    [
      { min_available_sov_pct: 100 },
      /Below the minimum share of voice: \d+ screens, of which one has \d+% available\.$/,
    ],
  ])('searches with %j, which no screen fits: hears how near one comes', async (input, note) => {
    const { client } = await open();
    const { record } = await callTool(client, 'find_available_screens', {
      ...period,
      city: 'Berlin',
      ...input,
    });
    expect(record).toMatchObject({ rows: [], note: expect.stringMatching(note) });
  });

  it('asks whether a user came through us: hears yes or no, also without an attribution', async () => {
    const { client, sandbox } = await open();
    const user = { user_id: 'u1', registered_at: '2027-03-01T09:30:00Z' };
    for (const [attribution, referred_by_you] of [
      [undefined, false],
      [{ source: 'x' }, true],
    ] as const) {
      const body = JSON.stringify({ data: { ...user, attribution } });
      sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 200, body, times: 1 });
      const { record } = await callTool(client, 'look_up_user', { email: 'a@example.com' });
      expect(record).toMatchObject({ exists: true, referred_by_you });
    }
    const unknown = await callTool(client, 'look_up_user', { email: 'no@example.com' });
    expect(unknown.record).toEqual({ exists: false, referred_by_you: false });
  });

  it('sends a value that the service refuses: reads which field, and why', async () => {
    const { client, sandbox } = await open();
    const errors = [{ field: 'lead_email', message: 'is on the list of blocked addresses' }];
    const problem = { type: 'about:blank', title: 'Invalid', status: 422, errors };
    sandbox.faults.add({
      path: '/coupons',
      fault: 'status',
      status: 422,
      body: JSON.stringify(problem),
      contentType: 'application/problem+json',
    });
    const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };
    expect((await callTool(client, 'create_coupon', coupon)).text).toContain(
      'The service says: "Invalid". It adds: {"errors":[{"field":"lead_email","message":"is on the list of blocked addresses"}]}.',
    );
  });

  it('meets a gateway in front of the service: reads its message, marked as not from the service', async () => {
    const { client, sandbox } = await open();
    const gateway = {
      status: 403,
      body: '{"message":"Forbidden"}',
      contentType: 'application/json',
    };
    sandbox.faults.add({ path: '/screens/*', fault: 'status', ...gateway });
    expect((await callTool(client, 'get_screen', { screen_id: 'scr_berlin_0001' })).text).toContain(
      'The response is not a problem document, so it may come from a proxy (application/json, 23 characters, with the message "Forbidden").',
    );
  });

  it('revokes a coupon twice: the second is its state, and no error', async () => {
    const { client } = await open();
    const coupon = { discount_type: 'percent', discount_value: 5, lead_email: 'a@example.com' };
    const { code } = (await callTool(client, 'create_coupon', coupon)).record;
    await callTool(client, 'revoke_coupon', { code });
    expect(await callTool(client, 'revoke_coupon', { code })).toMatchObject({
      isError: false,
      record: { status: 'revoked', revoked: false },
    });
  });

  it('passes campaign to a landing link: is led to utm_campaign, and no link is made', async () => {
    const { client, sandbox } = await open();
    const { text } = await callTool(client, 'create_landing_link', { campaign: 'spring' });
    expect(text).toContain('campaign is unknown: use utm_campaign.');
    expect(sandbox.journal.list()).toEqual([]);
  });

  it('continues a search with other arguments: is refused, not given rows of the first', async () => {
    const { client } = await open();
    const first = { ...period, near: '52.52, 13.4', limit: 2 };
    const { cursor } = await callList(client, 'find_available_screens', first);
    for (const near of ['48.2, 16.37', 'nonsense']) {
      const other = { ...first, near, cursor };
      const { text, isError } = await callTool(client, 'find_available_screens', other);
      expect({ near, isError, text }).toEqual({
        near,
        isError: true,
        text: expect.stringContaining('cursor belongs to other arguments'),
      });
    }
  });

  it('uses the screen_id of a list in the next call: it has the same name there', async () => {
    const { client } = await open();
    const { columns, rows } = await callList(client, 'list_screens', { limit: 1 });
    expect(columns[0]).toBe('screen_id');
    const { record } = await callTool(client, 'get_screen', { screen_id: rows[0]?.[0] });
    expect(record).toMatchObject({ id: rows[0]?.[0] });
  });

  it('asks for a day in events and in campaign requests: both read the whole day', async () => {
    const { baseUrl, full } = await start();
    await relay.start();
    relay.on('GET /events', { body: { data: [], pagination: { has_more: false } } });
    const key = relayEnvironment(relay.origin, makeToken());
    const client = await connect({ ...environment(baseUrl, full), ...key });
    const newest = await callList(client, 'list_campaign_requests', { fields: ['created_at'] });
    const day = String(newest.rows[0]?.[0]).slice(0, 10);
    const ofDay = { from: day, to: day, fields: ['created_at'] };
    const { rows } = await callList(client, 'list_campaign_requests', ofDay);
    expect(new Set(rows.map(([at]) => String(at).slice(0, 10)))).toEqual(new Set([day]));
    await callTool(client, 'list_events', { from: '2027-03-01', to: '2027-03-01' });
    const ofEvents = relay.received.map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(ofEvents.map((query) => [query.get('from'), query.get('to')])).toEqual([
      ['2027-03-01T00:00:00.000Z', '2027-03-02T00:00:00.000Z'],
    ]);
  });

  it('reads the schemas: fields have one name, results are as described, no tool is there twice', async () => {
    const { client } = await open();
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).not.toMatch(/svg|quiet_zone|find_nearby|screenId/);
    const lookUp = tools.find(({ name }) => name === 'look_up_user');
    expect(lookUp?.inputSchema.properties?.vat_uid).toMatchObject({
      description: "The user's or company's VAT number. Set this or email, not both.",
    });
    const create = tools.find(({ name }) => name === 'create_coupon');
    expect(create?.outputSchema?.properties).toMatchObject({ created: {}, coupon_note: {} });
  });
});
