import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { cases } from '../support/tier.ts';
import { Engine } from './engine/engine.ts';
import { createPoller, type Poller } from './engine/poller.ts';
import { openWorkflow, type RelayWorkflow } from './relay-bench.ts';

/** What the relay sends to each request, by method and path without the query. */
type Responses = Record<string, (count: number) => unknown>;

const type = 'campaign.paid';
const endless = 'The list of the relay does not end';
const slow = 'The relay did not send the whole list within 300 s';

let running: Running;

beforeEach(async () => {
  running = await start();
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function withRelay<Result>(
  responses: Responses,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const path = new URL(request.url ?? '', 'http://relay.example').pathname;
    const body = responses[`${request.method} ${path.replace('/api/v1', '')}`]?.(count);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  const { port, close } = await listen(server);
  return await use(`http://127.0.0.1:${port}`).finally(close);
}

const page = (data: unknown[], cursor: string | null = null) => ({
  data,
  pagination: { cursor, has_more: cursor !== null, position: cursor ?? 'end' },
});

const event = (fields: object = {}) => ({
  id: 'evt_1',
  type,
  received_at: '2027-03-01T09:00:00.000Z',
  position: '1-0000002a',
  data: {},
  payload: { id: 'evt_1', type, data: {} },
  ...fields,
});

/** A polling trigger that was published while the relay had no events. */
async function published(baseUrl: string, secondsPerLook = 0): Promise<Poller> {
  const { connectorKey } = running.key;
  let now = 0;
  const engine = await Engine.start(
    { screenAdvertisingRelayApi: { baseUrl, connectorKey } },
    {
      now: () => (now += secondsPerLook * 1000),
      date: () => Date.parse('2027-03-01T09:00:00.000Z'),
      sleep: async () => undefined,
    },
  );
  return createPoller(engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'relay', relayEvents: [type] },
  });
}

describe('a poll ends when the relay', () => {
  it.each([
    ['sends the same cursor again', () => 'same', 0, endless],
    ['only takes long', (count: number) => String(count), 1, slow],
  ])('%s', async (_what, cursor, secondsPerLook, message) => {
    const responses = {
      'GET /events': (count: number) => page([], count === 1 ? null : cursor(count)),
    };
    await withRelay(responses, async (baseUrl) => {
      const poller = await published(baseUrl, secondsPerLook);
      await poller.poll();
      await expect(poller.poll()).rejects.toMatchObject({
        message,
        description: expect.stringMatching(/^(Check that the base URL leads to the relay|Retry)/),
      });
    });
  });
});

describe('an event starts the workflow once, though the relay', () => {
  it.each([
    ['does not say when it was stored', { received_at: 'yesterday' }],
    ['stored a body that names no event', { payload: { id: 'evt_1' } }],
    ['sends no body at all', { payload: null }],
    ['does not say where it is', { position: 7 }],
  ])('%s', async (_what, fields) => {
    const stored: unknown[] = [];
    await withRelay({ 'GET /events': () => page(stored) }, async (baseUrl) => {
      const poller = await published(baseUrl);
      expect(await poller.poll()).toEqual([]);
      stored.push(event(fields));
      expect((await poller.poll()).map(({ json }) => json.id)).toEqual(['evt_1']);
      expect(await poller.poll()).toEqual([]);
    });
  });
});

it.each([['none', undefined]])(
  'a poll says so when the relay sends a position of the wrong kind: %s',
  async (_what, position) => {
    const pagination = { cursor: null, has_more: false, position };
    await withRelay({ 'GET /events': () => ({ data: [], pagination }) }, async (baseUrl) => {
      const poller = await published(baseUrl);
      await expect(poller.poll()).rejects.toMatchObject({
        message: 'The relay does not say where to continue reading its events',
        description:
          'Check that the base URL leads to the relay, and ask its operator to update it.',
      });
    });
  },
);

it('what is stored stays small over thousands of polls with long IDs and positions', async () => {
  let number = 0;
  const events = () =>
    Array.from({ length: 3 }, () => {
      number += 1;
      const id = `${number}`.padStart(500, 'x');
      const position = number % 2 === 0 ? `${number}-0000002a` : 'x'.repeat(1_000);
      return event({ id, position, payload: { id, type, data: {} } });
    });
  await withRelay({ 'GET /events': () => page(number === 0 ? [] : events()) }, async (baseUrl) => {
    // A minute between looks at the clock, so that no rate limit is reached.
    const poller = await published(baseUrl, 60);
    await poller.poll();
    number = 1;
    for (let count = 0; count < cases(2_000); count += 1) {
      expect(await poller.poll()).toHaveLength(3);
    }
    expect(JSON.stringify(poller.staticData()).length).toBeLessThan(200 * 50);
  });
});

describe('publishing', () => {
  const subscription = {
    id: 'sub_1',
    target_url: 'https://n8n.example',
    events: ['coupon.redeemed'],
    name: 'n8n',
    state: 'active',
    off_reason: null,
  };

  const published = async (responses: Responses, use: (workflow: RelayWorkflow) => Promise<void>) =>
    await withRelay(responses, async (baseUrl) =>
      use(await openWorkflow(running, { credential: { baseUrl } })),
    );

  it('says so when the relay switched the subscription off', async () => {
    const off = { ...subscription, state: 'off', off_reason: 'failing' };
    await published({ 'PUT /subscriptions': () => off }, async ({ n8n }) => {
      await expect(n8n.publish()).rejects.toThrow(
        'The relay keeps the subscription switched off (failing), so no event would arrive. Ask the operator of the relay to switch it on, then publish again.',
      );
    });
  });

  it('ends when the list of subscriptions does not', async () => {
    const responses = {
      'PUT /subscriptions': () => subscription,
      'GET /subscriptions': () => page([], 'same'),
    };
    await published(responses, async ({ n8n }) => {
      await expect(n8n.publish()).rejects.toThrow(endless);
    });
  });

  it('ends when the relay lists more leftovers than it removes in half a minute', async () => {
    let removed = 0;
    const leftovers = Array.from({ length: 200 }, (_, nth) => ({
      ...subscription,
      id: `sub_left_${nth}`,
    }));
    const removals = leftovers.map(({ id }) => [
      `DELETE /subscriptions/${id}`,
      () => {
        removed += 1;
        return {};
      },
    ]);
    const responses = {
      'PUT /subscriptions': () => subscription,
      'GET /subscriptions': () =>
        page(leftovers.map((one) => ({ ...one, target_url: workflowUrl }))),
      ...Object.fromEntries(removals),
    };
    let workflowUrl = '';
    await published(responses, async ({ n8n, webhookUrl }) => {
      workflowUrl = `${webhookUrl}/webhook/1/webhook`;
      const now = running.relay.clock.now();
      let looks = 0;
      // Each look at the clock is a second later.
      jest.spyOn(running.relay.clock, 'now').mockImplementation(() => now + 1_000 * ++looks);
      await expect(n8n.publish()).rejects.toThrow(
        'The relay did not send the whole list within 30 s. Retry in a few minutes. If it keeps failing, ask its operator.',
      );
      expect(removed).toBeGreaterThan(0);
      expect(removed).toBeLessThan(30);
    });
  });
});
