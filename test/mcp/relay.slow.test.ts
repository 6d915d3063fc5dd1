import { describe, expect, it } from '@jest/globals';
import { listRelayEvents } from '@screen-advertising/core/relay';
import { environment } from '../cli/command.ts';
import { start } from '../relay/support/running-relay.ts';
import { formsIn } from '../support/secret-forms.ts';
import { callTool } from './support/call.ts';
import { connect } from './support/connect.ts';
import { callList, recordsIn } from './support/lists.ts';
import { patientClock } from './support/patient-clock.ts';
import { relayEnvironment } from './support/relay-environment.ts';

const service = environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' });
const tool = 'list_events';

async function withRelay(args: readonly string[] = []) {
  const running = await start();
  const env = { ...service, ...relayEnvironment(running.url, running.key) };
  const client = await connect(env, { args, clock: patientClock() });
  return { ...running, client };
}

const event = (id: number, type = 'campaign.paid') => ({
  id: `event-${id}`,
  type,
  data: { campaign_id: `cmp_${id}`, note: 'x'.repeat(2500) },
});

describe('with a relay', () => {
  it('a model reads its events, newest first', async () => {
    const { client, relay, deliver } = await withRelay();
    await deliver(event(1));
    await relay.clock.advance(60_000);
    await deliver(event(2, 'coupon.redeemed'));
    const { record, text } = await callTool(client, tool);
    expect(record).toEqual({
      columns: ['id', 'type', 'received_at', 'data'],
      rows: [
        [
          expect.stringMatching(/^evt_/),
          'coupon.redeemed',
          '2027-03-01T09:01:00.000Z',
          event(2).data,
        ],
        [expect.any(String), 'campaign.paid', '2027-03-01T09:00:00.000Z', event(1).data],
      ],
      has_more: false,
    });
    expect(JSON.parse(text)).toEqual(record);
    expect((await callTool(client, tool, { cursor: '' })).record).toEqual(record);
    const ofType = await callTool(client, tool, { type: 'campaign.paid' });
    expect(ofType.record.rows).toHaveLength(1);
    const typesIn = async (period: object) =>
      recordsIn(await callList(client, tool, period)).map(({ type }) => type);
    expect(await typesIn({ from: '2027-03-01T09:00:30Z' })).toEqual(['coupon.redeemed']);
    // A day is whole, as in every other tool.
    const day = { from: '2027-03-01', to: '2027-03-01' };
    expect(await typesIn(day)).toEqual(['coupon.redeemed', 'campaign.paid']);
    expect(await typesIn({ from: '2027-03-02' })).toEqual([]);
    expect(await typesIn({ to: '2027-02-28' })).toEqual([]);
  });

  it('the tool is described for a model, and is read-only', async () => {
    const { client } = await withRelay(['--read-only']);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === tool)).toMatchObject({
      title: 'List Events',
      description: listRelayEvents.description,
      annotations: { readOnlyHint: true },
      inputSchema: {
        additionalProperties: false,
        properties: {
          type: {
            description: expect.stringMatching(/^Only events of this kind: .*campaign\.paid, /),
          },
          from: { examples: ['2027-03-01T09:00:00Z'] },
          to: { examples: ['2027-03-01T09:00:00Z'] },
          limit: { minimum: 1 },
          cursor: { description: 'Continues a result with the same arguments.' },
        },
      },
    });
  });
});

describe('an error says what to do, and shows no part of the key', () => {
  it('for a revoked key', async () => {
    const { client, relay, key } = await withRelay();
    const [{ name } = { name: '' }] = await relay.tokens.list();
    await relay.tokens.revoke('main', name);
    const { text, isError } = await callTool(client, tool);
    expect(isError).toBe(true);
    expect(text).toBe(
      'List Events failed: the relay did not accept the credentials (401). The relay says: "This token is unknown or revoked. Ask the operator of the relay for a connector key." Check that the connector key is complete and belongs to this relay. Do not retry: the user must fix the settings of this MCP server.',
    );
    expect(formsIn(text, key.token, key.signingSecret)).toEqual([]);
  });

  it('for invalid arguments', async () => {
    const { client } = await withRelay();
    expect(await callTool(client, tool, { from: 'yesterday' })).toMatchObject({
      isError: true,
      text: 'List Events was not sent: from must be a timestamp such as 2027-03-01T09:00:00Z, not "yesterday". Correct the arguments and call the tool again.',
    });
  });
});
