import { beforeEach, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { connect, uses } from '../../../packages/relay/src/database/connect.ts';
import { type Claimed, Leases, type Vacancy } from '../../../packages/relay/src/sender/leases.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { oneWaitsFor } from '../support/one-waits-for.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const subscriptions = 1_000;

let running: Running;
let numbers: readonly number[];

/** One through the API, and copies of it, since so many requests would take long. */
beforeEach(async () => {
  running = await start({ role: 'ingress' });
  const { url } = await startReceiver();
  await running.call('PUT', '/subscriptions', { target_url: url, events: [type] });
  numbers = await onDatabase(running.databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO subscription (id, source_number, token_number, target_url, events, created_at)
      SELECT gen_random_uuid(), source_number, token_number, target_url || '?' || nth, events, created_at
      FROM subscription, generate_series(2, $1::integer) AS nth`,
      [subscriptions],
    );
    await client.query(`INSERT INTO lease (subscription_number) SELECT number FROM subscription
      ON CONFLICT DO NOTHING`);
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query('SELECT number FROM subscription ORDER BY number');
    return rows.map(({ number }) => number);
  });
});

const vacancy = (free: number): Vacancy => ({
  free,
  freeForSlow: free,
  slow: [],
  heldByToken: new Map(),
});

async function withPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const { pool } = connect(running.databaseUrl, () => undefined, uses.sending);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** Claims until all subscriptions were looked at. */
async function claimAll(leases: Leases, free: number): Promise<readonly Claimed[]> {
  const claims: Claimed[] = [];
  do claims.push(await leases.claim(running.relay.clock.now(), vacancy(free)));
  while (claims.at(-1)?.hasMore);
  return claims;
}

const rowsRead = `
SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS count FROM pg_stat_user_tables
WHERE relname IN ('delivery_pending', 'lease', 'subscription')`;

it('beside an event to many subscriptions, a claim reads few rows, with a plan from an empty queue too', async () => {
  const read = await withPool(async (pool) => {
    const leases = new Leases(pool);
    const count = async () => {
      await pool.query('SELECT pg_stat_force_next_flush()');
      return (await pool.query<{ count: number }>(rowsRead)).rows[0]?.count ?? Number.NaN;
    };
    // PostgreSQL uses a generic plan for a prepared statement from its sixth run on.
    for (let nth = 0; nth < 10; nth += 1) await claimAll(leases, 100);
    await running.deliver({ id: '1', type });
    const before = await count();
    expect((await leases.claim(running.relay.clock.now(), vacancy(100))).leases).toHaveLength(100);
    return (await count()) - before;
  });
  expect(read).toBeLessThan(5 * subscriptions);
});

it('claims in a row look at every subscription, and find each once', async () => {
  await running.deliver({ id: '1', type });
  const claims = await withPool((pool) => claimAll(new Leases(pool), subscriptions));
  const found = claims.flatMap(({ leases }) => leases.map(({ subscription }) => subscription));
  expect(claims.length).toBeGreaterThan(1);
  expect(found.sort((a, b) => a - b)).toEqual(numbers);
});

it.each([
  ['first', 0],
  ['last', subscriptions - 1],
])('the last of them knows when the %s subscription is due', async (_name, nth) => {
  const now = running.relay.clock.now();
  await running.deliver({ id: '1', type });
  await onDatabase(running.databaseUrl, (client) =>
    client.query(
      'UPDATE delivery SET next_at = CASE WHEN subscription_number = $1 THEN $2 ELSE $3 END::timestamptz',
      [numbers[nth], new Date(now + 1_000), new Date(now + 2_000)],
    ),
  );
  const claims = await withPool((pool) => claimAll(new Leases(pool), 100));
  expect(claims.at(-1)).toEqual({ leases: [], hasMore: false, nextAt: now + 1_000 });
});

it('they take no subscription of a revoked token, though it may not be off yet', async () => {
  await running.deliver({ id: '1', type });
  await onDatabase(running.databaseUrl, (client) =>
    client.query('UPDATE token SET revoked_at = now()'),
  );
  const claims = await withPool((pool) => claimAll(new Leases(pool), subscriptions));
  expect(claims.flatMap(({ leases }) => leases)).toEqual([]);
});

it('leases are released, although another statement locks them in the other order', async () => {
  await running.deliver({ id: '1', type });
  await withPool(async (pool) => {
    let queries = 0;
    const counted = {
      query: (...query: Parameters<Pool['query']>) => {
        queries += 1;
        return pool.query(...query);
      },
    };
    const leases = new Leases(counted as Pool);
    const { leases: held } = await leases.claim(running.relay.clock.now(), vacancy(2));
    const [one = 0, other = 0] = held.map(({ subscription }) => subscription).sort((a, b) => a - b);
    queries = 0;
    await onDatabase(running.databaseUrl, async (client) => {
      const lock = (number: number) =>
        client.query('SELECT FROM lease WHERE subscription_number = $1 FOR UPDATE', [number]);
      await client.query('BEGIN');
      await client.query("SET LOCAL deadlock_timeout = '1h'");
      await lock(other);
      const released = Promise.all([one, other].map((number) => leases.release(number, 0, null)));
      await oneWaitsFor(client);
      await lock(one);
      await client.query('COMMIT');
      await released;
      const { rows } = await client.query('SELECT FROM lease WHERE leased_until IS NOT NULL');
      expect(rows).toEqual([]);
    });
    // The first one was ended by PostgreSQL.
    expect(queries).toBe(2);
  });
});

it('a sender delivers an event to all of them', async () => {
  const sender = await start({ role: 'sender', databaseUrl: running.databaseUrl });
  await running.deliver({ id: '1', type });
  await sender.relay.clock.advance(0);
  const { rows } = await onDatabase(running.databaseUrl, (client) =>
    client.query('SELECT state, count(*)::integer FROM delivery GROUP BY state'),
  );
  expect(rows).toEqual([{ state: 'delivered', count: subscriptions }]);
});
