import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import type { Client } from 'pg';
import { searchHash } from '../../../../packages/relay/src/log/event-search.ts';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { freshDatabase, onDatabase } from '../../support/database.ts';
import { type Running, start } from '../../support/running-relay.ts';
import { storeEvents } from '../../support/stored-events.ts';

const stored = 100_000;
/** Of about 10,000 that the tables and their indexes have. */
const maxBlocks = 300;
/** PostgreSQL uses a generic plan for a prepared statement from its sixth run on. */
const times = 10;

let databaseUrl: string;
let frequent: string;
let rare: string;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const running = await start({ databaseUrl, startAt: Date.now() });
  const subscribe = async (target: string, type: string) =>
    (await running.call('PUT', '/subscriptions', { target_url: target, events: [type] })).body.id;
  frequent = await subscribe('http://127.0.0.1:1/1', 'campaign.paid');
  await subscribe('http://127.0.0.1:1/2', 'campaign.paid');
  rare = await subscribe('http://127.0.0.1:1/3', 'user.registered');
  await subscribe('http://127.0.0.1:1/4', 'coupon.redeemed');
  await running.relay.close();
  await onDatabase(databaseUrl, async (client) => {
    const old = { count: 60, secondsAgo: 29 * 86_400 } as const;
    await storeEvents(client, { ...old, type: 'user.registered', state: 'delivered' });
    await storeEvents(client, { ...old, type: 'coupon.redeemed', state: 'dead' });
    const month = { count: stored, secondsBetween: (29 * 86_400) / stored } as const;
    await storeEvents(client, { ...month, type: 'campaign.paid', state: 'delivered' });
    // Another source has one value more often than a search reads before it walks back.
    const { rows } = await client.query<{ number: number }>(
      "INSERT INTO source (name, secret, created_at) SELECT 'other', secret, now() FROM source RETURNING number",
    );
    const other = rows[0]?.number ?? 0;
    await client.query(
      `INSERT INTO event (source_number, id, key, type, body, search_hashes, received_at)
      SELECT $1, uuidv7(), 'id:' || nth, 'campaign.paid', '{}', ARRAY[$2::bigint], now()
      FROM generate_series(1, 3000) AS nth`,
      [other, searchHash(other, 'lead-50000@example.com')],
    );
    await client.query('VACUUM ANALYZE');
  });
});

/** Blocks of the big tables and their indexes that were read so far. */
async function blocksRead(client: Client): Promise<number> {
  const others = async () => {
    const { rowCount } = await client.query(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
    return rowCount;
  };
  // A connection reports its reads when it ends.
  while ((await others()) !== 0);
  const { rows } = await client.query<{ count: number }>(
    `SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::integer AS count
    FROM pg_statio_user_tables WHERE relname ~ '^(event|delivery|attempt|seen_body)'`,
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Entries of an index that were read so far. */
async function entriesRead(client: Client, index: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT idx_tup_read::integer AS count FROM pg_stat_user_indexes WHERE indexrelname = $1',
    [index],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** The average per run. */
async function blocksReadBy(
  work: (running: Running) => Promise<unknown>,
  role: RelayOptions['role'] = 'all',
): Promise<number> {
  const before = await onDatabase(databaseUrl, blocksRead);
  const running = await start({ databaseUrl, startAt: Date.now(), role });
  const mayManage = "UPDATE token SET rights = '{manage}'";
  await onDatabase(databaseUrl, (client) => client.query(mayManage));
  await work(running);
  await running.relay.close();
  return ((await onDatabase(databaseUrl, blocksRead)) - before) / times;
}

/** Stores events, and delivers each to a new subscriber. */
async function blocksReadByDeliveries(name: string): Promise<number> {
  const { url } = await startReceiver();
  return blocksReadBy(async (running) => {
    const events = ['campaign_request.created'];
    const put = await running.call('PUT', '/subscriptions', { target_url: url, events });
    for (let nth = 0; nth < times; nth += 1) {
      const id = `${name}-${nth}`;
      expect((await running.deliver({ id, type: events[0] })).status).toBe(202);
      await running.relay.clock.advance(0);
    }
    const { body } = await running.call('GET', '/deliveries?limit=1');
    expect(body.data).toMatchObject([{ state: 'delivered' }]);
    expect((await running.call('DELETE', `/subscriptions/${put.body.id}`)).status).toBe(204);
  });
}

/** On a busy machine, a sender looks for work more often. What each delivery reads is in every run. */
async function leastReadByDeliveries(name: string): Promise<number> {
  const counts = [];
  for (const run of ['a', 'b', 'c']) counts.push(await blocksReadByDeliveries(`${name}-${run}`));
  return Math.min(...counts);
}

async function newest(running: Running, path: string): Promise<string> {
  return (await running.call('GET', path)).body.data[0].id;
}

describe(`with ${stored} stored events`, () => {
  it.each([
    ['the newest events', async () => '/events?limit=5'],
    ['the events of a type', async () => '/events?type=user.registered&limit=5'],
    [
      'the events of a type that never came',
      async () => '/events?type=campaign_request.created&limit=5',
    ],
    [
      'the events before a time',
      async () => `/events?limit=5&to=${new Date(Date.now() - 20 * 86_400_000).toISOString()}`,
    ],
    [
      'the event with a value that another source has often',
      async () => '/events?search=lead-50000@example.com',
    ],
    ['the events with an unknown value', async () => '/events?search=unknown@example.com'],
    ['the newest events with a value that each has', async () => '/events?search=0&limit=5'],
    ['the newest deliveries', async () => '/deliveries?limit=5'],
    ['the pending deliveries', async () => '/deliveries?state=pending&limit=5'],
    ['the dead deliveries', async () => '/deliveries?state=dead&limit=5'],
    [
      'the deliveries of a subscription',
      async () => `/deliveries?limit=5&subscription_id=${frequent}`,
    ],
    [
      'the pending deliveries of one that has many others',
      async () => `/deliveries?state=pending&limit=5&subscription_id=${frequent}`,
    ],
    [
      'its dead ones, of which there are none',
      async () => `/deliveries?state=dead&limit=5&subscription_id=${frequent}`,
    ],
    [
      'the deliveries of an event',
      async (running: Running) =>
        `/deliveries?event_id=${await newest(running, '/events?limit=1')}`,
    ],
  ] as const)('a list of %s reads few blocks', async (_name, pathOf) => {
    const count = await blocksReadBy(async (running) => {
      const path = await pathOf(running);
      for (let nth = 0; nth < times; nth += 1) {
        expect((await running.call('GET', path)).status).toBe(200);
      }
    });
    expect(count).toBeLessThan(maxBlocks);
  });

  it('a search for a value that each has reads few entries of its index', async () => {
    const entries = () =>
      onDatabase(databaseUrl, (client) => entriesRead(client, 'event_by_value'));
    const before = await entries();
    await blocksReadBy(async (running) => {
      for (let nth = 0; nth < times; nth += 1) {
        expect((await running.call('GET', '/events?search=0&limit=5')).body.data).toHaveLength(5);
      }
    });
    const count = (await entries()) - before;
    expect(count / times).toBeLessThan(maxBlocks);
  });

  it('the metrics read few blocks', async () => {
    const count = await blocksReadBy(async ({ url }) => {
      for (let nth = 0; nth < times; nth += 1) {
        expect((await fetch(`${url}/metrics`)).status).toBe(200);
      }
    });
    expect(count).toBeLessThan(maxBlocks);
  });

  it.each([
    [
      'an event',
      async (running: Running) => `/events/${await newest(running, '/events?limit=1')}/redeliver`,
      {},
    ],
    [
      'a subscription that has few',
      async () => `/subscriptions/${rare}/redeliver`,
      { states: ['pending', 'delivered', 'ignored', 'dead'] },
    ],
  ] as const)('a redelivery of %s reads few blocks for each delivery', async (_, pathOf, asked) => {
    let deliveries = 0;
    const count = await blocksReadBy(async (running) => {
      const path = await pathOf(running);
      for (let nth = 0; nth < times; nth += 1) {
        const { body } = await running.call('POST', path, asked);
        expect(body.deliveries).toBeGreaterThan(0);
        deliveries = body.deliveries;
      }
      // A sender would read more blocks to deliver them, depending on the load.
    }, 'ingress');
    // Each is found with its event.
    expect(count).toBeLessThan(Math.max(maxBlocks, 8 * deliveries));
  });

  it('storing and delivering events reads few blocks', async () => {
    expect(await leastReadByDeliveries('new')).toBeLessThan(maxBlocks);
  });
});

describe(`with ${stored} deliveries of one subscription, all of which succeeded`, () => {
  beforeAll(() =>
    onDatabase(databaseUrl, async (client) => {
      await client.query('TRUNCATE attempt, delivery, job');
      await client.query(`INSERT INTO delivery
          (source_number, position, subscription_number, state, attempts, attempts_since_replay, replays)
        SELECT source_number, position, (SELECT min(number) FROM subscription), 'delivered', 1, 1, 0
        FROM event WHERE source_number = 1`);
      await client.query('VACUUM ANALYZE');
    }),
  );

  it.each([
    ['the deliveries', ''],
    ['the dead deliveries', '&state=dead'],
  ])('a list of %s of it reads few blocks', async (_name, more) => {
    const count = await blocksReadBy(async (running) => {
      for (let nth = 0; nth < times; nth += 1) {
        const path = `/deliveries?limit=5&subscription_id=${frequent}${more}`;
        expect((await running.call('GET', path)).status).toBe(200);
      }
    });
    expect(count).toBeLessThan(maxBlocks);
  });
});

describe(`with ${stored} stored events, and as many due at one moment for a subscriber that is down`, () => {
  beforeAll(() =>
    onDatabase(databaseUrl, async (client) => {
      // What earlier tests redelivered.
      await client.query("UPDATE delivery SET state = 'dead' WHERE state = 'pending'");
      await client.query('DELETE FROM job');
      await storeEvents(client, { count: stored, type: 'coupon.redeemed', state: 'pending' });
      await client.query(`UPDATE lease SET paused_until = now() + interval '1 day'
        WHERE subscription_number = (SELECT max(subscription_number) FROM delivery WHERE state = 'pending')`);
      await client.query("UPDATE delivery SET next_at = now() WHERE state = 'pending'");
      await client.query('VACUUM ANALYZE');
    }),
  );

  it('delivering events to others reads few blocks', async () => {
    expect(await leastReadByDeliveries('beside')).toBeLessThan(maxBlocks);
  });
});

describe('before PostgreSQL has analyzed a table', () => {
  it('delivering an event reads few of the deliveries before it', async () => {
    const events = 100;
    const fresh = await freshDatabase();
    const running = await start({ databaseUrl: fresh, startAt: Date.now() });
    const put = { target_url: (await startReceiver()).url, events: ['campaign.paid'] };
    await running.call('PUT', '/subscriptions', put);
    for (let nth = 0; nth < events; nth += 1) {
      await running.deliver({ id: String(nth), type: 'campaign.paid' });
      await running.relay.clock.advance(0);
    }
    const { body } = await running.call('GET', '/deliveries?state=delivered&limit=200');
    expect(body.data).toHaveLength(events);
    await running.relay.close();
    await onDatabase(fresh, blocksRead);
    const count = await onDatabase(fresh, (client) => entriesRead(client, 'delivery_pkey'));
    expect(count / events).toBeLessThan(10);
  });
});
