import { expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { searchHash } from '../../../packages/relay/src/log/event-search.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { tier } from '../../support/tier.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { postEvent } from '../support/post-event.ts';
import { RelayProcess, startRelay } from '../support/relay-process.ts';
import { secretKey, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';
import { tablesWith } from './traces.ts';

const anna = 'anna@example.com';
const type = 'user.registered';
/** Every hundredth is Anna's. */
const count = tier === 'nightly' ? 200_000 : 60_000;

/** Delivered events with a response each; Anna's, and their responses, name her. */
async function store(client: Client): Promise<void> {
  await storeEvents(client, { count, type, state: 'delivered', secondsBetween: 0.1 });
  await client.query(
    `UPDATE event SET search_hashes = search_hashes || $2::bigint,
      body = convert_to(regexp_replace(convert_from(body, 'UTF8'), 'lead-\\d+@example.com', $1), 'UTF8')
    WHERE position % 100 = 0`,
    [anna, searchHash(1, anna)],
  );
  await client.query(
    `UPDATE attempt SET response = jsonb_build_object('status', 200, 'headers', '{}'::jsonb,
      'body', 'hello ' || $1::text, 'is_binary', false, 'is_cut', false)
    WHERE position % 100 = 0`,
    [anna],
  );
  await client.query('VACUUM ANALYZE');
}

/** What an erasure of Anna's events must not change. */
async function others(client: Client): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT count(*), sum(hashtext(event::text)) AS events, sum(hashtext(attempt::text)) AS attempts,
      sum(hashtext(delivery::text)) AS deliveries
    FROM event JOIN delivery USING (source_number, position)
    JOIN attempt USING (source_number, position, subscription_number)
    WHERE position % 100 <> 0 AND type = $1`,
    [type],
  );
  return rows;
}

it('an erasure that is killed between two commits is finished after the restart, beside deliveries', async () => {
  const databaseUrl = await freshDatabase();
  const ingress = await start({ databaseUrl, role: 'ingress', startAt: Date.now() });
  const receiver = await startReceiver();
  const put = { target_url: receiver.url, events: [type, 'campaign.paid'] };
  await ingress.call('PUT', '/subscriptions', put);
  await ingress.relay.close();
  const environment = {
    DATABASE_URL: databaseUrl,
    RELAY_SECRET_KEY: secretKey,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
    LOG_LEVEL: 'error',
  };
  await onDatabase(databaseUrl, store);
  const before = await onDatabase(databaseUrl, others);
  const relay = await RelayProcess.start(environment);
  try {
    await onDatabase(databaseUrl, async (client) => {
      // Stops the erasure after the first commit of its first batch.
      await client.query('BEGIN; LOCK TABLE attempt IN ROW EXCLUSIVE MODE');
      const program = startRelay(['events', 'erase', anna], environment);
      await until(client, "SELECT FROM pg_locks WHERE mode = 'ShareLock' AND NOT granted");
      program.kill();
      await program.ended;
      await relay.kill();
      await client.query('COMMIT');
    });
    expect(await tablesWith(databaseUrl, anna)).not.toEqual([]);
    await relay.ready();
    for (let nth = 0; nth < 20; nth += 1) {
      const event = { id: `beside-${nth}`, type: 'campaign.paid', data: {} };
      expect(await postEvent(relay.url, event)).toBe(202);
    }
    await onDatabase(databaseUrl, async (client) => {
      // As if 15 s had passed, after which another process continues.
      await client.query("UPDATE erasure SET worked_at = worked_at - interval '15 s'");
      await until(client, 'SELECT WHERE NOT EXISTS (SELECT FROM erasure)');
      await until(client, 'SELECT FROM delivery HAVING count(*) = $1', [count + 20]);
    });
    expect(relay.crashes).toEqual([]);
  } finally {
    await relay.stop();
  }
  expect(new Set(receiver.arrivals.map(({ body }) => JSON.parse(body).id)).size).toBe(20);
  expect(await tablesWith(databaseUrl, anna)).toEqual([]);
  expect(await onDatabase(databaseUrl, others)).toEqual(before);
});

/** Asks until there is a row. */
const until = (client: Client, query: string, values: unknown[] = []) =>
  eventually(async () => (await client.query(query, values)).rowCount !== 0, query);
