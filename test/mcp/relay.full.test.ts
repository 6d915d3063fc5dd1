import { describe, expect, it } from '@jest/globals';
import { listRelayEvents } from '@screen-advertising/core/relay';
// Imported before any test runs, because the full tier replaces it with one that registers a hook.
import '@screen-advertising/sandbox';
import { makeToken } from '../../packages/relay/src/secrets/new-token.ts';
import { environment } from '../cli/command.ts';
import { start } from '../relay/support/running-relay.ts';
import { freePort } from '../support/free-port.ts';
import { formsIn } from '../support/secret-forms.ts';
import { allParts, callTool } from './support/call.ts';
import { connect } from './support/connect.ts';
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
      data: [
        {
          id: expect.stringMatching(/^evt_/),
          position: expect.any(String),
          type: 'coupon.redeemed',
          received_at: '2027-03-01T09:01:00.000Z',
          data: event(2).data,
        },
        expect.objectContaining({ type: 'campaign.paid', data: event(1).data }),
      ],
      pagination: { has_more: false },
    });
    expect(JSON.parse(text)).toEqual(record);
    expect((await callTool(client, tool, { cursor: '' })).record).toEqual(record);
    const ofType = await callTool(client, tool, { type: 'campaign.paid' });
    expect(ofType.record.data).toHaveLength(1);
    const { record: later } = await callTool(client, tool, { from: '2027-03-01T09:00:30Z' });
    expect(later.data).toMatchObject([{ type: 'coupon.redeemed' }]);
  });

  it('a list continues at its cursor, in bounded parts', async () => {
    const { client, deliver, relay } = await withRelay();
    for (let id = 0; id < 24; id += 1) {
      await deliver(event(id));
      await relay.clock.advance(1);
    }
    const parts = await allParts(client, tool, { limit: 14 });
    expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(26_000);
    // A page of the relay holds 14 events, of which 10 are too long for one response.
    expect(parts.map(({ data }) => data.length)).toEqual([9, 5, 9, 1]);
    const read = parts.flatMap(({ data }) =>
      data.map((one) => one.data as { campaign_id: string }),
    );
    expect(read.map(({ campaign_id }) => campaign_id)).toEqual(
      Array.from({ length: 24 }, (_, nth) => `cmp_${23 - nth}`),
    );
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
          limit: { minimum: 1, maximum: 200 },
          cursor: { description: 'Where to continue: pagination.cursor.' },
        },
      },
    });
  });

  it('a sandbox replaces the service, not the relay', async () => {
    const { client } = await withRelay(['--with-sandbox']);
    const [screens, stored] = [
      await callTool(client, 'list_screens'),
      await callTool(client, tool),
    ];
    expect([screens.isError, stored.isError, stored.record.data]).toEqual([false, false, []]);
  });

  it('the tool does not exist without a relay', async () => {
    const client = await connect(service);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain(tool);
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
    const cases: readonly (readonly [object, string])[] = [
      [
        { from: 'yesterday' },
        'List Events failed: the relay rejected the request (400). The relay says: "from: use a timestamp such as 2027-03-01T09:00:00Z." Check the fields you sent. Do not retry with the same arguments.',
      ],
      [
        { limit: 500 },
        'List Events was not sent: limit must be at most 200. Correct the arguments and call the tool again.',
      ],
      [
        { cursor: 'page 2' },
        'List Events was not sent: cursor is not valid: leave it out to start at the beginning of the list. Correct the arguments and call the tool again.',
      ],
    ];
    for (const [input, words] of cases) {
      expect(await callTool(client, tool, input)).toMatchObject({ isError: true, text: words });
    }
  });

  it('for a relay that is down', async () => {
    const port = await freePort();
    const env = { ...service, ...relayEnvironment(`http://127.0.0.1:${port}`, makeToken()) };
    const client = await connect(env, { clock: patientClock() });
    expect((await callTool(client, tool)).text).toBe(
      `No usable response from the relay: 127.0.0.1:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running. Retrying later with the same arguments is safe.`,
    );
  });
});
