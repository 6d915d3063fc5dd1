import { createServer } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';
import { onDatabase } from '../relay/support/database.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { chanceOf } from '../support/chance.ts';
import { freePort } from '../support/free-port.ts';
import { cases, seed } from '../support/tier.ts';
import { hurriedTime } from './door.ts';
import { Engine, type EngineNode } from './engine/engine.ts';
import { createPoller, type Poller } from './engine/poller.ts';

const registered = 'user.registered';
const paid = 'campaign.paid';
const redeemed = 'coupon.redeemed';

let engine: Engine;
let running: Running;
let events = 0;
let triggers = 0;

beforeAll(async () => {
  // Retries wait for no real time.
  engine = await Engine.start({}, hurriedTime());
});
beforeEach(async () => {
  running = await start();
  connectTo(running.url);
});

function connectTo(baseUrl: string, connectorKey = running.key.connectorKey): void {
  engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey };
}

function nodeFor(types: string[]): EngineNode {
  triggers += 1;
  return {
    id: `relay-${triggers}`,
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'relay', relayEvents: types },
  };
}

const publish = (types: string[]): Poller => createPoller(engine, nodeFor(types));

/** A trigger that was published before anything of what follows happened. */
async function published(types: string[]): Promise<Poller> {
  const poller = publish(types);
  expect(await poller.poll()).toEqual([]);
  return poller;
}

/** The service delivers an event; gives its ID. */
async function happens(type: string, to = running, id = `evt_${++events}`): Promise<string> {
  const { status } = await to.deliver({ id, type, data: { number: events } });
  expect(status).toBe(202);
  return id;
}

async function happenMany(type: string, count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => happens(type)));
}

const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);

describe.each([
  registered,
  paid,
  redeemed,
  'campaign_request.created',
  'campaign_request.rejected',
])('%s', (type) => {
  it('starts the workflow once', async () => {
    const poller = await published([type]);
    const id = await happens(type);
    const [item, ...others] = await poller.poll();
    expect(item?.json).toEqual({
      id,
      type,
      timestamp: '2027-03-01T09:00:00.000Z',
      data: { number: events },
    });
    expect(others).toEqual([]);
    expect(await poller.poll()).toEqual([]);
  });
});

it('events that were not chosen stay silent', async () => {
  const poller = await published([paid, redeemed]);
  await happens(registered);
  expect(await poller.poll()).toEqual([]);
  const [first, second] = [await happens(redeemed), await happens(paid)];
  expect(ids(await poller.poll()).sort()).toEqual([first, second]);
});

it('the oldest event is first, whatever its type', async () => {
  const poller = await published([paid, redeemed]);
  const expected: string[] = [];
  for (const type of [redeemed, paid, redeemed, paid]) {
    expected.push(await happens(type));
    await running.relay.clock.advance(1);
  }
  expect(ids(await poller.poll())).toEqual(expected);
});

it('more than a page of events, all of the same millisecond, comes out whole', async () => {
  const poller = await published([redeemed]);
  const expected = await happenMany(redeemed, 250);
  expect(ids(await poller.poll()).sort()).toEqual(expected.sort());
  expect(await poller.poll()).toEqual([]);
});

it('events of the same millisecond, some before a poll and some after, come out once', async () => {
  const poller = await published([redeemed]);
  const found: unknown[] = [];
  const expected: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    expected.push(...(await happenMany(redeemed, 4)));
    found.push(...ids(await poller.poll()));
  }
  expect(found.sort()).toEqual(expected.sort());
});

it('an event that the relay shows after a later one is not missed', async () => {
  // Each of two processes of the relay has its clock.
  const behind = await start({
    databaseUrl: running.databaseUrl,
    startAt: '2027-03-01T08:56:00.000Z',
  });
  const poller = await published([paid]);
  const expected = [await happens(paid)];
  expect(ids(await poller.poll())).toEqual(expected);
  const late = await happens(paid, behind);
  expect(ids(await poller.poll())).toEqual([late]);
  poller.restart();
  expect(await poller.poll()).toEqual([]);
});

it('an event without an ID of the service has the one of the relay', async () => {
  const poller = await published([paid]);
  await running.deliver({ type: paid, data: { campaign_id: 'cmp_1' } });
  const { body } = await running.call('GET', '/events');
  expect(ids(await poller.poll())).toEqual([body.data[0].id]);
  expect(await poller.poll()).toEqual([]);
});

describe('the first poll', () => {
  it('takes note of what the relay has stored, and starts nothing', async () => {
    await happenMany(redeemed, 250);
    const poller = await published([redeemed, paid]);
    const next = [await happens(redeemed), await happens(paid)];
    expect(ids(await poller.poll()).sort()).toEqual(next.sort());
  });

  it.each([
    [
      'with a type that was not chosen before',
      { parameters: { authentication: 'relay', relayEvents: [paid, redeemed] } },
    ],
    [
      'with another credential',
      { credentials: { screenAdvertisingRelayApi: { id: 'other', name: 'Other' } } },
    ],
  ])('%s does so, too', async (_what, changes) => {
    const node = nodeFor([redeemed]);
    const poller = createPoller(engine, node);
    await poller.poll();
    await happens(paid);
    Object.assign(node, changes);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
    const next = await happens(redeemed);
    expect(ids(await poller.poll())).toEqual([next]);
  });
});

describe('after a pause, or a restart of n8n', () => {
  it.each([
    ['right after publishing', 0],
    ['after polls that found nothing', 3],
  ])('%s, what happened meanwhile comes out once', async (_when, polls) => {
    const poller = await published([paid]);
    for (let count = 0; count < polls; count += 1) expect(await poller.poll()).toEqual([]);
    poller.restart();
    const id = await happens(paid);
    expect(ids(await poller.poll())).toEqual([id]);
    poller.restart();
    expect(await poller.poll()).toEqual([]);
  });

  it('whatever happens between two polls, each event starts the workflow once', async () => {
    const chance = chanceOf('restarts', seed);
    const poller = await published([paid, redeemed]);
    const [expected, found]: [string[], unknown[]] = [[], []];
    const steps: (() => unknown)[] = [
      async () => expected.push(await happens(paid)),
      async () => expected.push(await happens(redeemed)),
      async () => void (await happens(registered)),
      async () => found.push(...ids(await poller.poll())),
      () => poller.restart(),
      () => running.relay.clock.advance(60_000),
      () => running.relay.clock.advance(1),
    ];
    for (let count = 0; count < cases(2_000); count += 1) {
      await steps[Math.floor(chance() * steps.length)]?.();
    }
    found.push(...ids(await poller.poll()));
    expect(found.length).toBeGreaterThan(10);
    expect(found.sort()).toEqual(expected.sort());
  });
});

describe('when a poll fails', () => {
  it('in the middle of the pages, it loses and duplicates nothing', async () => {
    const poller = await published([paid, redeemed]);
    const expected = [...(await happenMany(paid, 250)), ...(await happenMany(redeemed, 250))];
    const door = await openDoor([true, true, true, false]);
    connectTo(door.url);
    await expect(poller.poll()).rejects.toMatchObject({
      message: 'List Events failed: the relay reported an error (500)',
      description: 'Retry in a few minutes.',
    });
    connectTo(running.url);
    expected.push(await happens(paid));
    expect(ids(await poller.poll()).sort()).toEqual(expected.sort());
    expect(await poller.poll()).toEqual([]);
    await door.close();
  });

  it('because the relay is away, the next one that reaches it misses nothing', async () => {
    const poller = await published([paid]);
    const id = await happens(paid);
    const port = await freePort();
    connectTo(`http://127.0.0.1:${port}`);
    await expect(poller.poll()).rejects.toMatchObject({
      name: 'NodeApiError',
      message: `No usable response from the relay: 127.0.0.1:${port} refused the connection (ECONNREFUSED)`,
      description: expect.stringMatching(/^Check the base URL and .* use host\.docker\.internal /),
    });
    poller.restart();
    connectTo(running.url);
    expect(ids(await poller.poll())).toEqual([id]);
  });

  it.each([
    [
      'a key that the relay does not know',
      `rly_${'a'.repeat(43)}.whsec_${'a'.repeat(44)}`,
      'List Events failed: the relay did not accept the credentials (401)',
      /^The relay says: .* Check that the connector key is complete and belongs to this relay\.$/,
    ],
    [
      'a key that was not copied whole',
      'rly_abc',
      expect.stringMatching(/cannot be used: The connector key has only the token\. Copy .* again/),
      'Nothing was sent. Open the credential of this node and correct it.',
    ],
  ])('because of %s, it says what to do', async (_what, connectorKey, message, description) => {
    connectTo(running.url, connectorKey);
    await expect(publish([paid]).poll()).rejects.toMatchObject({
      message,
      description: description instanceof RegExp ? expect.stringMatching(description) : description,
    });
  });

  it('because something else is at the address, it says what to do', async () => {
    const page = await listen(createServer((_, response) => response.writeHead(404).end()));
    connectTo(`http://127.0.0.1:${page.port}`);
    await expect(publish([paid]).poll()).rejects.toMatchObject({
      message: 'List Events failed: not found (404)',
      description: 'Check that the base URL leads to the relay.',
    });
    await page.close();
  });
});

it('a poll that starts before the one before has ended does nothing', async () => {
  const poller = await published([paid]);
  const id = await happens(paid);
  const [one, other] = await Promise.all([poller.poll(), poller.poll()]);
  expect([...ids(one), ...ids(other)]).toEqual([id]);
});

it('a relay that was restored from a backup starts nothing twice', async () => {
  const poller = await published([paid]);
  await happens(paid);
  await poller.poll();
  await running.relay.clock.advance(60_000);
  const lost = await happens(paid);
  expect(ids(await poller.poll())).toEqual([lost]);
  // The backup was made before the last event.
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query(
      `DELETE FROM event WHERE key = (SELECT key FROM event ORDER BY id DESC LIMIT 1)`,
    );
  });
  await running.relay.clock.advance(60_000);
  await happens(paid, running, lost);
  const next = await happens(paid);
  expect(ids(await poller.poll())).toEqual([next]);
});

describe('while the workflow is being built', () => {
  it('a poll shows the newest of the chosen events, and remembers nothing', async () => {
    await happens(paid);
    await running.relay.clock.advance(1);
    const newest = await happens(redeemed);
    await running.relay.clock.advance(1);
    await happens(registered);
    const poller = publish([paid, redeemed]);
    expect(ids(await poller.poll('manual'))).toEqual([newest]);
    expect(ids(await poller.poll('manual'))).toEqual([newest]);
    expect(poller.staticData()).toEqual({});
  });

  it('a poll that finds no event says so', async () => {
    await happens(registered);
    await expect(publish([paid]).poll('manual')).rejects.toMatchObject({
      message: 'The relay has received none of the chosen events yet',
      description: 'Choose more events, or test again once one of them has happened.',
    });
  });
});

/**
 * A proxy in front of the relay that responds to each request in turn with the relay's response, or
 * 500.
 */
async function openDoor(passes: readonly boolean[]) {
  let count = 0;
  const server = createServer(async ({ url = '', headers }, response) => {
    const isOpen = passes[count] ?? false;
    count += 1;
    if (!isOpen) {
      response.writeHead(500).end();
      return;
    }
    const { authorization = '' } = headers;
    const passed = await fetch(`${running.url}${url}`, { headers: { authorization } });
    response.writeHead(passed.status, { 'content-type': 'application/json' });
    response.end(await passed.text());
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close };
}
