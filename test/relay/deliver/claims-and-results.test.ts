import { beforeEach, expect, it } from '@jest/globals';
import { openPool } from '../../../packages/relay/src/base/database.ts';
import { Leases } from '../../../packages/relay/src/deliver/claim.ts';
import { DueDeliveryReaders } from '../../../packages/relay/src/deliver/read.ts';
import { type AttemptResult, ResultWriter } from '../../../packages/relay/src/deliver/record.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';
import { rawResponse, startActor } from '../support/actor.ts';
import {
  type Options,
  onDatabase,
  type Running,
  start,
  subscribe,
} from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

const paid = 'campaign.paid';

/** Requests change the database, and nothing is delivered until a sender starts. */
let running: Running;

beforeEach(async () => {
  running = await start({ role: 'ingress' });
});

const query = (text: string) => running.query(text);
const store = (count: number, state: 'waiting' | 'pending') =>
  storeEvents(running, { count, type: paid, state });

/** A sender of the same relay, at the same time by its clock. */
async function startSender(options: Options = {}): Promise<Running> {
  const { databaseUrl, relay } = running;
  const sender = await start({
    ...{ role: 'sender', databaseUrl, startAt: relay.clock.now() },
    ...options,
  });
  await sender.relay.clock.advance(1);
  return sender;
}

/** Ends the connection that waits to write results, as a database does that stops. */
const endWaiting = () =>
  eventually(async () => {
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%json_to_recordset%'`;
    return (await query(text)).rowCount === 1;
  }, 'results wait');

it('a result that could not be written is not passed by one that follows', async () => {
  const errors: unknown[] = [];
  const actor = await startActor();
  await subscribe(running, actor.url, { max_concurrency: 2 });
  await store(60, 'waiting');
  const responding = Promise.withResolvers<() => void>();
  // Both are attempted at once: the first event gets its response last, and the second one fails.
  for (const _ of [1, 2]) {
    actor.answers.push((socket) => {
      if (/lead-59@/.test(actor.requests.at(-1) ?? '')) {
        responding.resolve(() => socket.write(rawResponse(200)));
      } else socket.write(rawResponse(500));
    });
  }
  const { started } = await onDatabase(running.databaseUrl, async (client) => {
    await client.query('BEGIN; SELECT FROM subscription FOR NO KEY UPDATE');
    const started = startSender({ onError: (error) => errors.push(error) });
    await endWaiting();
    await client.query('COMMIT');
    return { started };
  });
  (await responding.promise)();
  const sender = await started;
  expect(String(errors[0])).toContain('terminating connection due to administrator command');
  await query('UPDATE lease SET leased_until = clock_timestamp()');
  await sender.relay.clock.advance(1);
  const { rows } = await query('SELECT state, count(*) FROM delivery GROUP BY state');
  expect(rows).toEqual([{ state: 'delivered', count: '60' }]);
});

it('a result that the database refuses holds up its own reader, and no other', async () => {
  const { pool } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  for (const path of ['one', 'other']) await subscribe(running, `http://127.0.0.1:9/${path}`);
  await store(5, 'waiting');
  const writer = new ResultWriter(pool);
  const [one, other] = [1, 2].map((subscription) => {
    const reader = { number: String(subscription), subscription, starts: 1 };
    const lease = {};
    return (from: number, to: number, status?: number) =>
      writer.write({
        lease,
        moves: [{ kind: 'log', ...reader, from: String(from), to: String(to) }],
        ...(status && {
          result: { source: 1, position: '1', subscription, status } as AttemptResult,
        }),
      });
  });
  const tooLarge = 2 ** 40;
  const written = [one?.(0, 3, tooLarge), other?.(0, 3)];
  const [refused, accepted] = await Promise.allSettled(written);
  expect([refused?.status, accepted?.status]).toEqual(['rejected', 'fulfilled']);
  await Promise.all([one?.(0, 5), other?.(3, 5)]);
  const { rows } = await query('SELECT position FROM subscription ORDER BY number');
  expect(rows).toEqual([{ position: '0' }, { position: '5' }]);
});

it('results wait for the lock of a request before they lock any event or delivery', async () => {
  const actor = await startActor();
  await subscribe(running, actor.url);
  await store(1, 'pending');
  await running.deliver({ id: 'new', type: paid, data: {} });
  const responding = Promise.withResolvers<() => void>();
  actor.answers.push((socket) => responding.resolve(() => socket.write(rawResponse(200))));
  const sending = startSender();
  const respond = await responding.promise;
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query('BEGIN; SELECT FROM subscription FOR NO KEY UPDATE');
    respond();
    await waitForLocks(running, 1);
    // Otherwise each would wait for the other.
    await client.query('SELECT FROM event FOR NO KEY UPDATE NOWAIT');
    await client.query('SELECT FROM delivery FOR UPDATE NOWAIT');
    await client.query('COMMIT');
  });
  await sending;
  expect((await query("SELECT FROM delivery WHERE state = 'delivered'")).rowCount).toBe(2);
});

it('a result that is being written restores no response of an event that is erased meanwhile', async () => {
  const actor = await startActor([rawResponse(500, {}, 'anna@example.com')]);
  await subscribe(running, actor.url);
  await running.deliver({ id: 'one', type: paid, data: { email: 'anna@example.com' } });
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query(`BEGIN;
      INSERT INTO attempt (source_number, position, subscription_number, number, at, duration_ms)
      SELECT source_number, position, 1, 1, now(), 0 FROM event`);
    const sending = startSender();
    await waitForLocks(running, 1);
    let isErased = false;
    const erasing = running.relay.operate('events.erase', { search: 'anna@example.com' });
    void erasing.then(() => {
      isErased = true;
    });
    await Promise.race([waitForLocks(running, 2), erasing]);
    expect(isErased).toBe(false);
    await client.query('ROLLBACK');
    await Promise.all([sending, erasing]);
  });
  expect((await query('SELECT response FROM attempt')).rows).toEqual([{ response: null }]);
});

const target = 'http://127.0.0.1:9/hook';

it('leases are renewed without those that are being released: to wait for them could end in a deadlock', async () => {
  const statementTimeoutMs = 3_000;
  const { pool } = openPool(running.databaseUrl, () => undefined, { most: 2, statementTimeoutMs });
  closeAfterTest(() => pool.end());
  for (const path of ['one', 'other']) await subscribe(running, `http://127.0.0.1:9/${path}`);
  await running.deliver({ id: '1', type: 'campaign.paid' });
  const leases = new Leases(pool);
  const claimed = await leases.claim(running.relay.clock.now(), [], 10);
  const [one, other] = claimed.leases;
  if (!one || !other) throw new Error('Both have something to do.');
  const releasing = await pool.connect();
  closeAfterTest(() => releasing.release(true));
  await releasing.query('BEGIN');
  await releasing.query('SELECT FROM lease WHERE subscription_number = $1 FOR UPDATE', [
    one.subscription,
  ]);
  await leases.renew([one, other]);
  expect([leases.isHeld(one), leases.isHeld(other)]).toEqual([false, true]);
});

it.each([
  ['moves its reader', 1, '5'],
  ['moves nothing of a subscription that was subscribed again', 2, '0'],
])('what was attempted %s', async (_, puts, position) => {
  const { pool } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  for (let put = 0; put < puts; put += 1) await subscribe(running, target);
  const reader = { kind: 'log', number: '1', subscription: 1, starts: 1 } as const;
  await new ResultWriter(pool).write({ lease: {}, moves: [{ ...reader, from: '0', to: '5' }] });
  const { rows } = await pool.query('SELECT position FROM subscription');
  expect(rows).toEqual([{ position }]);
});

it('a sender that claimed a subscription before its last start reads nothing more for it', async () => {
  const { pool } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  const id = await subscribe(running, target);
  const { clock } = running.relay;
  for (const nth of ['1', '2']) await running.deliver({ id: nth, type: 'campaign.paid', data: {} });
  const leases = new Leases(pool);
  const { leases: claimed } = await leases.claim(clock.now(), [], 10);
  const [lease] = claimed;
  if (!lease) throw new Error('It has something to do.');
  await running.call('POST', `/subscriptions/${id}/redeliver`, { missing: true });
  await pool.query(`INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
      attempts_since_replay, replays, next_at)
    SELECT source_number, min(position), 1, 'pending', 1, 1, 0, '2027-03-01' FROM event GROUP BY 1`);
  const readers = new DueDeliveryReaders(pool, clock, leases.owner);
  const read = async (from: 'isBehind' | 'hasRetry' | 'hasJob') => {
    const sources = { isBehind: false, hasRetry: false, hasJob: false, [from]: true };
    return (await readers.next(lease, sources)).tasks.length;
  };
  const readEach = async () => [
    await read('isBehind'),
    await read('hasRetry'),
    await read('hasJob'),
  ];
  expect(await readEach()).toEqual([1, 1, 1]);
  await subscribe(running, target);
  expect(await readEach()).toEqual([0, 0, 0]);
});
