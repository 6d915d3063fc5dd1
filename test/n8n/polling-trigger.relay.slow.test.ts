import { beforeEach, expect, it } from '@jest/globals';
import { onDatabase, type Running, start } from '../relay/support/running-relay.ts';

import { storeEvents } from '../relay/support/stored-events.ts';
import { Engine } from './engine.ts';
import { noSleep } from './hurried-time.ts';
import { createPoller, type Poller } from './poller.ts';

const type = 'campaign.paid';
const right = '2027-03-01T09:00:00.000Z';
/** Whatever the clocks say, no event is old enough to be pruned. */
const retentionDays = 1_000_000;

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
      sleep: noSleep,
    },
  );
  running = await start({ startAt: right });
  const { url: baseUrl, key } = running;
  engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey: key.connectorKey };
});

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

it.each([-40 * 86_400_000, -60_000, 26 * 3_600_000])(
  'each event starts the workflow once when the clock of n8n is set by %d ms, and then of the relay',
  async (jump) => {
    const poller = await published();
    const [expected, all]: [string[], unknown[]] = [[], []];
    const pass = async (to = running) => {
      expected.push(await happens(to));
      all.push(...(await found(poller)));
    };
    await pass();
    n8nNow += jump;
    await pass();
    poller.restart();
    await pass();
    const { databaseUrl } = running;
    const startAt = Date.parse(right) + jump;
    const moved = await start({ databaseUrl, startAt, role: 'ingress', retentionDays });
    await pass(moved);
    await pass();
    expect(all).toEqual(expected);
  },
);

it('a backlog starts executions of 10,000 events each, the oldest first', async () => {
  const poller = await published();
  const count = 10_150;
  await onDatabase(running.databaseUrl, (client) =>
    storeEvents(client, { count, type, state: 'pending' }),
  );
  const times: string[] = [];
  for (const most of [10_000, 150, 0]) {
    const items = await poller.poll();
    expect(items).toHaveLength(most);
    times.push(...items.map(({ json }) => String(json.timestamp)));
    poller.restart();
  }
  expect(times).toEqual([...times].sort());
}, 120_000);
