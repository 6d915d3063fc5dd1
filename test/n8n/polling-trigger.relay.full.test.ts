import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import fc from 'fast-check';
import type { Client } from 'pg';
import { onDatabase } from '../relay/support/database.ts';
import { type Running, start } from '../relay/support/running-relay.ts';
import { storeEvents } from '../relay/support/stored-events.ts';
import { cases, seed } from '../support/tier.ts';
import { Engine } from './engine/engine.ts';
import { createPoller, type Poller } from './engine/poller.ts';

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
      sleep: async () => undefined,
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

describe('whatever the clocks of n8n, the relay and its database say', () => {
  /** Milliseconds, either way: minutes, days, centuries. */
  const jump = fc
    .constantFrom(60_000, 15 * 60_000, 3_600_000, 26 * 3_600_000, 40 * 86_400_000, 3e13)
    .chain((most) => fc.integer({ min: -most, max: most }));
  const process = fc.constantFrom(0, 1);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant('event' as const), process }) },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('poll' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('restart n8n' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('restart database' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('set n8n' as const), jump }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('set database' as const), jump }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('set relay' as const), process, jump }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('follow database' as const), process }),
    },
  );

  it('each event starts the workflow once, through restarts of each', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      async (steps) => {
        running = await start({ startAt: right, role: 'ingress', retentionDays, onError });
        const { url: baseUrl, key, databaseUrl } = running;
        engine.credentials.screenAdvertisingRelayApi = { baseUrl, connectorKey: key.connectorKey };
        const relays = [
          running,
          await start({ databaseUrl, startAt: right, role: 'ingress', retentionDays, onError }),
        ];
        const poller = await published();
        const [expected, all]: [string[], unknown[]] = [[], []];
        for (const one of steps) {
          if (one.does === 'event') {
            expected.push(await happens(relays[one.process]));
          } else if (one.does === 'poll') {
            all.push(...(await found(poller)));
          } else if (one.does === 'restart n8n') {
            poller.restart();
          } else if (one.does === 'restart database') {
            await onDatabase(databaseUrl, endSessions);
          } else if (one.does === 'set n8n') {
            n8nNow = Math.max(0, Date.parse(right) + one.jump);
          } else if (one.does === 'set database') {
            const jumpMs = Math.max(-Date.parse(right) / 2, one.jump);
            await onDatabase(databaseUrl, (client) => setClock(client, jumpMs));
          } else {
            const time: RelayOptions =
              one.does === 'set relay'
                ? { startAt: Math.max(0, Date.parse(right) + one.jump) }
                : { clock: 'running' };
            await relays[one.process]?.relay.close();
            const same = { databaseUrl, role: 'ingress', retentionDays, onError } as const;
            relays[one.process] = await start({ ...same, ...time });
            const { url, key: newKey } = relays[0] ?? running;
            Object.assign(engine.credentials, {
              screenAdvertisingRelayApi: { baseUrl: url, connectorKey: newKey.connectorKey },
            });
          }
        }
        all.push(...(await found(poller)), ...(await found(poller)));
        expect(all).toEqual(expected);
        // A hundred relays would use up the connections of the server.
        await Promise.all(relays.map(({ relay }) => relay.close()));
      },
    );
    await fc.assert(property, { seed, numRuns: cases(20), endOnFailure: true });
  });
});

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

/** Lost connections are part of the test. */
const onError = () => undefined;

async function endSessions(client: Client): Promise<void> {
  await client.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}

/** All that a relay learns of the time of its database comes from this function. */
async function setClock(client: Client, jump: number): Promise<void> {
  await client.query(`
    CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
      $$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => ${jump / 1000}) $$`);
  const { rows } = await client.query('SELECT current_database() AS name');
  await client.query(`ALTER DATABASE ${rows[0].name} SET search_path TO public, pg_catalog`);
  await endSessions(client);
}
