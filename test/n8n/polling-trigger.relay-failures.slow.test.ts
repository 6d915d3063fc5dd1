import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { onDatabase } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { chanceOf } from '../support/chance.ts';
import { freePort } from '../support/free-port.ts';
import { cases, seed } from '../support/tier.ts';
import { Engine } from './engine.ts';
import { noSleep } from './hurried-time.ts';
import type { Time } from './n8n.ts';
import { eventIds, paid, redeemed, registered, usePolledRelay } from './polled-relay.ts';
import { createPoller, type Poller } from './poller.ts';

const relay = usePolledRelay();

/** What the relay sends to each request, by method and path without the query. */
type Responses = Record<string, (count: number, request: IncomingMessage) => unknown>;

describe('when a poll fails', () => {
  it('in the middle of the pages, it loses and duplicates nothing', async () => {
    const poller = await relay.published([paid, redeemed]);
    const expected = [
      ...(await relay.happenMany(paid, 250)),
      ...(await relay.happenMany(redeemed, 250)),
    ];
    const answer = async (count: number, { url = '', headers }: IncomingMessage) => {
      if (count > 3) return undefined;
      const { authorization = '' } = headers;
      return (await fetch(`${relay.running().url}${url}`, { headers: { authorization } })).json();
    };
    await withRelay({ 'GET /events': answer }, async (baseUrl) => {
      relay.connectTo(baseUrl);
      await expect(poller.poll()).rejects.toMatchObject({
        message:
          'List Events failed: the relay, or something in front of it, does not know this address (404)',
        description: expect.stringMatching(/Check that the base URL leads to the relay\.$/),
      });
    });
    relay.connectTo(relay.running().url);
    expected.push(await relay.happens(paid));
    expect(eventIds(await poller.poll()).sort()).toEqual(expected.sort());
    expect(await poller.poll()).toEqual([]);
  });

  it('because the relay is away, the next one that reaches it misses nothing', async () => {
    const poller = await relay.published([paid]);
    const id = await relay.happens(paid);
    const port = await freePort();
    relay.connectTo(`http://127.0.0.1:${port}`);
    await expect(poller.poll()).rejects.toMatchObject({
      name: 'NodeApiError',
      message: `No usable response from the relay: 127.0.0.1:${port} refused the connection (ECONNREFUSED)`,
      description: expect.stringMatching(/^Check the base URL and .* use host\.docker\.internal /),
    });
    poller.restart();
    relay.connectTo(relay.running().url);
    expect(eventIds(await poller.poll())).toEqual([id]);
  });

  it('because the relay does not know the key, it says what to do', async () => {
    relay.connectTo(relay.running().url, `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`);
    await expect(relay.publish([paid]).poll()).rejects.toMatchObject({
      message: 'List Events failed: the relay did not accept the credentials (401)',
      description: expect.stringMatching(
        /^The relay says: .* Check that the connector key is complete and belongs to this relay\.$/,
      ),
    });
  });
});

async function withRelay<Result>(
  responses: Responses,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    const path = new URL(request.url ?? '', 'http://relay.example').pathname;
    const answer = responses[`${request.method} ${path.replace('/api/v1', '')}`];
    const body = await answer?.(count, request);
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
  type: paid,
  received_at: '2027-03-01T09:00:00.000Z',
  position: '1-0000002a',
  data: {},
  payload: { id: 'evt_1', type: paid, data: {} },
  ...fields,
});

/** A polling trigger that was published while the relay had no events. */
async function publishedAt(
  baseUrl: string,
  secondsPerLook = 0,
  sleep: Time['sleep'] = noSleep,
): Promise<Poller> {
  const { connectorKey } = relay.running().key;
  let now = 0;
  const engine = await Engine.start(
    { screenAdvertisingRelayApi: { baseUrl, connectorKey } },
    {
      now: () => (now += secondsPerLook * 1000),
      date: () => Date.parse('2027-03-01T09:00:00.000Z'),
      sleep,
    },
  );
  return createPoller(engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'relay', relayEvents: [paid] },
  });
}

it('a poll ends with what it has when its time is over, although the relay sends page after page', async () => {
  const { promise: over, resolve: timeIsOver } = Promise.withResolvers<void>();
  const sleep = () => over;
  const pages = (count: number) => {
    if (count === 1) return page([]);
    if (count === 30) timeIsOver();
    return page([event({ id: `evt_${count}`, payload: { id: `evt_${count}` } })], 'same');
  };
  await withRelay({ 'GET /events': pages }, async (baseUrl) => {
    const poller = await publishedAt(baseUrl, 1, sleep);
    expect(await poller.poll()).toEqual([]);
    const found = eventIds(await poller.poll());
    expect(found.slice(0, 2)).toEqual(['evt_2', 'evt_3']);
    expect(found.length).toBeGreaterThan(20);
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
      const poller = await publishedAt(baseUrl);
      expect(await poller.poll()).toEqual([]);
      stored.push(event(fields));
      expect((await poller.poll()).map(({ json }) => json.id)).toEqual(['evt_1']);
      expect(await poller.poll()).toEqual([]);
    });
  });
});

it('a poll says so when the relay does not say where to continue', async () => {
  const pagination = { cursor: null, has_more: false };
  await withRelay({ 'GET /events': () => ({ data: [], pagination }) }, async (baseUrl) => {
    const poller = await publishedAt(baseUrl);
    await expect(poller.poll()).rejects.toMatchObject({
      message: 'The relay does not say where to continue reading its events',
      description: 'Check that the base URL leads to the relay, and ask its operator to update it.',
    });
  });
});

it('what is stored stays small over thousands of polls with long IDs and positions', async () => {
  let number = 0;
  const events = () =>
    Array.from({ length: 3 }, () => {
      number += 1;
      const id = `${number}`.padStart(500, 'x');
      const position = number % 2 === 0 ? `${number}-0000002a` : 'x'.repeat(1_000);
      return event({ id, position, payload: { id, type: paid, data: {} } });
    });
  await withRelay({ 'GET /events': () => page(number === 0 ? [] : events()) }, async (baseUrl) => {
    // 5 s between looks at the clock, so that neither a rate limit nor the end of a poll is reached.
    const poller = await publishedAt(baseUrl, 5);
    await poller.poll();
    number = 1;
    for (let count = 0; count < cases(2_000); count += 1) {
      expect(await poller.poll()).toHaveLength(3);
    }
    expect(JSON.stringify(poller.staticData()).length).toBeLessThan(200 * 50);
  });
});

it('whatever happens between two polls, restarts of n8n included, each event starts the workflow once', async () => {
  const chance = chanceOf('restarts', seed);
  const poller = await relay.published([paid, redeemed]);
  const [expected, found]: [string[], unknown[]] = [[], []];
  const steps: (() => unknown)[] = [
    async () => expected.push(await relay.happens(paid)),
    async () => expected.push(await relay.happens(redeemed)),
    async () => void (await relay.happens(registered)),
    async () => found.push(...eventIds(await poller.poll())),
    () => poller.restart(),
    () => relay.running().relay.clock.advance(60_000),
    () => relay.running().relay.clock.advance(1),
  ];
  for (let count = 0; count < cases(400); count += 1) {
    await steps[Math.floor(chance() * steps.length)]?.();
  }
  found.push(...eventIds(await poller.poll()));
  expect(found.length).toBeGreaterThan(10);
  expect(found.sort()).toEqual(expected.sort());
});

it.each([
  ['starts nothing twice', 199, true, []],
  [
    'says that events may be missing',
    200,
    false,
    [
      {
        message:
          'Events may be missing: the relay no longer has everything since the last poll (campaign.paid)',
      },
    ],
  ],
])(
  'a relay that was restored from a backup %s, without the last %i events',
  async (_what, count, startsNext, reported) => {
    const poller = await relay.published([paid]);
    await relay.happens(paid);
    await poller.poll();
    await relay.running().relay.clock.advance(60_000);
    const lost = await relay.happenMany(paid, count);
    expect(eventIds(await poller.poll()).sort()).toEqual(lost.toSorted());
    await onDatabase(relay.running().databaseUrl, async (client) => {
      await client.query(`DELETE FROM event WHERE position IN
      (SELECT position FROM event ORDER BY position DESC LIMIT ${count})`);
    });
    await relay.running().relay.clock.advance(60_000);
    for (const id of lost) await relay.happens(paid, relay.running(), id);
    const next = await relay.happens(paid);
    expect(eventIds(await poller.poll())).toEqual(startsNext ? [next] : []);
    expect(poller.reported).toMatchObject(reported);
  },
);
