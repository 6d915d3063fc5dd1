import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RelayOptions } from '@screen-advertising/relay';
import type { Client } from 'pg';
import { searchHash } from '../../../packages/relay/src/log/search.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { adminToken, listPaths, Visitor } from '../page/support.ts';
import {
  freshDatabase,
  onDatabase,
  type Running,
  start,
  subscribe,
} from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const stored = 100_000;
/** Of about 10,000 that the tables and their indexes have. */
const maxBlocks = 300;
/** A page has several lists, and counts. */
const maxBlocksOfPage = 2_000;
/** PostgreSQL uses a generic plan for a prepared statement from its sixth run on. */
const times = 10;
const dayMs = 86_400_000;
/** Many deliveries, of which none is dead; and few. */
const [frequent, rare] = ['frequent', 'rare'];

let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const running = await start({ databaseUrl, startAt: Date.now() });
  for (const [nth, [name, event]] of [
    [frequent, 'campaign.paid'],
    ['second', 'campaign.paid'],
    [rare, 'user.registered'],
    ['third', 'coupon.redeemed'],
  ].entries()) {
    await subscribe(running, `http://127.0.0.1:1/${nth}`, { name, events: [event ?? ''] });
  }
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
      SELECT $1, uuidv7(), 'id:' || nth, 'campaign.paid', '{"type":"a"}', ARRAY[$2::bigint], now()
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
  const running = await start({ databaseUrl, startAt: Date.now(), role, adminToken });
  const mayManage = "UPDATE token SET rights = '{manage}'";
  await onDatabase(databaseUrl, (client) => client.query(mayManage));
  await work(running);
  await running.relay.close();
  return ((await onDatabase(databaseUrl, blocksRead)) - before) / times;
}

const blocksReadByList = (path: string) =>
  blocksReadBy(async (running) => {
    const filled = await withIds(running, path);
    for (let nth = 0; nth < times; nth += 1) {
      expect((await running.call('GET', filled)).status).toBe(200);
    }
  });

/** In place of a subscription's name and of `EVENT`: the newest one. */
async function withIds({ call }: Running, path: string): Promise<string> {
  const [event] = (await call('GET', '/events?limit=1')).body.data;
  const named = (await call('GET', '/subscriptions')).body.data;
  const all: readonly { name: string; id: string }[] = [...named, { name: 'EVENT', id: event.id }];
  return all.reduce((text, { name, id }) => text.replace(name, id), path);
}

/** Stores events, and delivers each to a new subscriber. */
async function blocksReadByDeliveries(name: string): Promise<number> {
  const { url } = await startReceiver();
  return blocksReadBy(async (running) => {
    const type = 'campaign_request.created';
    const subscription = await subscribe(running, url, { events: [type] });
    for (let nth = 0; nth < times; nth += 1) {
      expect((await running.deliver({ id: `${name}-${nth}`, type })).status).toBe(202);
      await running.relay.clock.advance(0);
    }
    const { body } = await running.call('GET', '/deliveries?limit=1');
    expect(body.data).toMatchObject([{ state: 'delivered' }]);
    expect((await running.call('DELETE', `/subscriptions/${subscription}`)).status).toBe(204);
  });
}

/** On a busy machine, a sender looks for work more often. What each delivery reads is in every run. */
async function leastReadByDeliveries(name: string): Promise<number> {
  const counts = [];
  for (const run of ['a', 'b', 'c']) counts.push(await blocksReadByDeliveries(`${name}-${run}`));
  return Math.min(...counts);
}

describe(`with ${stored} stored events`, () => {
  it.each([
    ['the newest events', '/events?limit=5'],
    ['the events of a type', '/events?type=user.registered&limit=5'],
    ['a type that never came', '/events?type=campaign_request.created&limit=5'],
    [
      'the events before a time',
      `/events?limit=5&to=${new Date(Date.now() - 20 * dayMs).toJSON()}`,
    ],
    ['a value that another source has often', '/events?search=lead-50000@example.com'],
    ['an unknown value', '/events?search=unknown@example.com'],
    ['a value that each has', '/events?search=0&limit=5'],
    ['the newest deliveries', '/deliveries?limit=5'],
    ['the pending deliveries', '/deliveries?state=pending&limit=5'],
    ['the dead deliveries', '/deliveries?state=dead&limit=5'],
    ['the deliveries of one', `/deliveries?limit=5&subscription_id=${frequent}`],
    ['the pending ones of one', `/deliveries?state=pending&limit=5&subscription_id=${frequent}`],
    ['the dead ones of one', `/deliveries?state=dead&limit=5&subscription_id=${frequent}`],
    ['the deliveries of an event', '/deliveries?event_id=EVENT'],
  ])('a list of %s reads few blocks', async (_what, path) => {
    expect(await blocksReadByList(path)).toBeLessThan(maxBlocks);
  });

  it.each([
    ...listPaths,
    '/?range=days',
    '/operator/events?type=user.registered',
    '/operator/events?source=main',
    `/operator/deliveries?subscription=${frequent}`,
    `/operator/deliveries?subscription=${rare}`,
    `/operator/deliveries?subscription=${frequent}&state=delivered`,
    `/operator/deliveries?subscription=${frequent}&state=dead`,
    '/operator/deliveries?state=delivered',
    `/operator/subscriptions/${frequent}`,
    `/operator/subscriptions/${rare}`,
    '/operator/events/EVENT',
  ])('the page %s, and the next one, read few blocks', async (path) => {
    const count = await blocksReadBy(async (running) => {
      const visitor = await new Visitor(running.url).signIn();
      const paths = [await withIds(running, path)];
      for (let nth = 0; nth < times; nth += 1) {
        const { status, html } = await visitor.get(paths.at(-1) ?? '');
        expect(status).toBe(200);
        const [, next] = html.match(/<a href="([^"]*)">(?:Older|Later)<\/a>/) ?? [];
        paths.push(next?.replaceAll('&amp;', '&') ?? paths[0] ?? '');
      }
    });
    expect(count).toBeLessThan(maxBlocksOfPage);
  });

  it('a search for a value that each has reads few entries of its index', async () => {
    const entries = () =>
      onDatabase(databaseUrl, (client) => entriesRead(client, 'event_by_value'));
    const before = await entries();
    await blocksReadByList('/events?search=0&limit=5');
    expect(((await entries()) - before) / times).toBeLessThan(maxBlocks);
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
    ['/events/EVENT/redeliver', {}],
    [`/subscriptions/${rare}/redeliver`, { states: ['pending', 'delivered', 'ignored', 'dead'] }],
  ])('%s reads few blocks for each delivery', async (path, asked) => {
    let deliveries = 0;
    const count = await blocksReadBy(async (running) => {
      const filled = await withIds(running, path);
      for (let nth = 0; nth < times; nth += 1) {
        ({ deliveries } = (await running.call('POST', filled, asked)).body);
        expect(deliveries).toBeGreaterThan(0);
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

  it.each(['', '&state=dead'])('a list of its deliveries%s reads few blocks', async (more) => {
    const path = `/deliveries?limit=5&subscription_id=${frequent}${more}`;
    expect(await blocksReadByList(path)).toBeLessThan(maxBlocks);
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

it('before PostgreSQL has analyzed a table, delivering an event reads few of the deliveries before it', async () => {
  const events = 100;
  const fresh = await freshDatabase();
  const running = await start({ databaseUrl: fresh, startAt: Date.now() });
  await subscribe(running, (await startReceiver()).url);
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
