import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../relay/support/running-relay.ts';
import { chanceOf } from '../support/chance.ts';
import { cases, seed } from '../support/tier.ts';
import { Engine } from './engine/engine.ts';
import { createPoller, type Poller } from './engine/poller.ts';

const type = 'campaign.paid';
const right = '2027-03-01T09:00:00.000Z';

/** The clock of n8n, which a test sets. */
let n8nNow: number;
let engine: Engine;
let running: Running;
let count = 0;

beforeEach(async () => {
  n8nNow = Date.parse(right);
  engine = await Engine.start(
    {},
    {
      now: () => performance.now(),
      date: () => n8nNow,
      sleep: async () => undefined,
    },
  );
  running = await start({ startAt: right });
  const { url: baseUrl, key } = running;
  engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey: key.connectorKey };
});

/** Another process of the relay, on the same database, with its own clock. */
const relayAt = async (startAt: string) =>
  await start({ databaseUrl: running.databaseUrl, startAt });

async function happens(to = running): Promise<string> {
  count += 1;
  const id = `evt_${count}`;
  expect((await to.deliver({ id, type, data: {} })).status).toBe(202);
  return id;
}

const found = async (poller: Poller) => (await poller.poll()).map(({ json }) => json.id);

async function published(): Promise<Poller> {
  const poller = createPoller(engine, {
    type: 'screenAdvertisingPollingTrigger',
    parameters: { authentication: 'relay', relayEvents: [type] },
  });
  await happens();
  expect(await poller.poll()).toEqual([]);
  return poller;
}

describe('an event that a clock of the relay dated', () => {
  it.each([
    ['an hour ahead', '2027-03-01T10:00:00.000Z'],
    ['in the year 2999', '2999-12-31T00:00:00.000Z'],
  ])('%s hides none of those after it', async (_when, startAt) => {
    const poller = await published();
    const ahead = await happens(await relayAt(startAt));
    expect(await found(poller)).toEqual([ahead]);
    poller.restart();
    const after: string[] = [];
    for (let index = 0; index < 20; index += 1) after.push(await happens());
    expect((await found(poller)).sort()).toEqual(after.sort());
    n8nNow += 2 * 60 * 60_000;
    expect(await found(poller)).toEqual([]);
  });

  it.each([
    ['an hour', '2027-03-01T08:00:00.000Z'],
    ['most of a day', '2027-02-28T10:00:00.000Z'],
  ])('%s behind is found', async (_when, startAt) => {
    const poller = await published();
    await running.relay.clock.advance(60_000);
    await happens();
    await poller.poll();
    const late = await happens(await relayAt(startAt));
    expect(await found(poller)).toEqual([late]);
    expect(await found(poller)).toEqual([]);
  });
});

it('whatever the clocks of n8n and of three processes of the relay say, each event starts the workflow once', async () => {
  const chance = chanceOf('clocks', seed);
  const relays = [
    running,
    await relayAt('2027-03-01T10:30:00.000Z'),
    await relayAt('2027-03-01T07:30:00.000Z'),
  ];
  const poller = await published();
  const [expected, all]: [string[], unknown[]] = [[], []];
  const steps: (() => unknown)[] = [
    ...relays.map((relay) => async () => expected.push(await happens(relay))),
    ...relays.map((relay) => () => relay.relay.clock.advance(30_000)),
    async () => all.push(...(await found(poller))),
    () => poller.restart(),
    () => {
      n8nNow = Date.parse(right) + Math.floor((chance() - 0.5) * 2 * 24 * 60 * 60_000);
    },
  ];
  for (let index = 0; index < cases(400); index += 1) {
    await steps[Math.floor(chance() * steps.length)]?.();
  }
  all.push(...(await found(poller)));
  expect(all.length).toBeGreaterThan(3);
  expect(all.sort()).toEqual(expected.sort());
});

it('what is stored holds a page of events, however many there were', async () => {
  const poller = await published();
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => happens()));
    expect(await poller.poll()).toHaveLength(100);
    n8nNow += 600_000;
    await running.relay.clock.advance(600_000);
  }
  expect(JSON.stringify(poller.staticData()).match(/"[\w-]{16}":/g)).toHaveLength(200);
});
