import { beforeEach, describe, expect, it } from '@jest/globals';
import { openPool, poolUses } from '../../../packages/relay/src/base/database.ts';
import { Leases } from '../../../packages/relay/src/deliver/claim.ts';
import { DueDeliveryReaders } from '../../../packages/relay/src/deliver/read.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, rawResponse, startActor } from '../support/actor.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

let running: Running;

async function deliver(id: string): Promise<void> {
  await running.deliver({ id, type, data: {} });
  await running.relay.clock.advance(1);
}

const idsIn = (requests: readonly string[]) =>
  requests.map((request) => /"id":"(\w+)"/.exec(request)?.[1]);

const query = (text: string) => running.query(text);

describe('a subscription', () => {
  beforeEach(async () => {
    running = await start();
  });

  it('with pending deliveries whose events are gone gets every new event', async () => {
    const actor = await startActor();
    await subscribe(running, actor.url);
    await query(`INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
        attempts_since_replay, replays, next_at)
      SELECT 1, 1000000 + nth, 1, 'pending', 0, 0, 0, '2020-01-01' FROM generate_series(1, 120) AS nth`);
    for (const id of ['one', 'two']) await deliver(id);
    expect(idsIn(actor.requests)).toEqual(['one', 'two']);
    expect((await query("SELECT FROM delivery WHERE state = 'pending'")).rowCount).toBe(0);
  });

  it('is not switched off by an event that failed for good, and one failure weeks later', async () => {
    const actor = await startActor(Array(11).fill(rawResponse(500)));
    const id = await subscribe(running, actor.url);
    await deliver('poison');
    await running.relay.clock.advance(4 * day);
    expect(actor.requests).toHaveLength(11);
    await running.relay.clock.advance(10 * day);
    actor.answers.push(rawResponse(500));
    await deliver('later');
    const { body } = await running.call('GET', `/subscriptions/${id}`);
    expect(body).toMatchObject({ state: 'active' });
    await running.relay.clock.advance(60_000);
    expect(idsIn(actor.requests.slice(12))).toEqual(['later']);
  });

  it('gets other events a minute after one whose response asks for an hour', async () => {
    const actor = await startActor([rawResponse(503, { 'retry-after': '3600' })]);
    await subscribe(running, actor.url);
    for (const id of ['asks', 'other']) await deliver(id);
    expect(actor.requests).toHaveLength(1);
    await running.relay.clock.advance(60_000);
    expect(idsIn(actor.requests)).toEqual(['asks', 'other']);
  });

  it('that is asked to retry makes one attempt of a delivery that is due anyway', async () => {
    const actor = await startActor(Array(3).fill(rawResponse(500)));
    const id = await subscribe(running, actor.url);
    await deliver('due');
    await query("UPDATE delivery SET next_at = '2020-01-01'");
    await running.call('POST', `/subscriptions/${id}/retry`);
    await running.relay.clock.advance(0);
    expect(actor.requests).toHaveLength(2);
  });

  it('gets a redelivery although many of others were never carried out', async () => {
    const actor = await startActor();
    const ended = await subscribe(running, 'https://hooks.example.com/1');
    await running.call('DELETE', `/subscriptions/${ended}`);
    const id = await subscribe(running, actor.url);
    await deliver('one');
    await query(`INSERT INTO job (kind, subscription_number, of_number, position, until)
      SELECT 'missing', 1, 1, 0, nth FROM generate_series(1, 300) AS nth`);
    await running.call('POST', `/subscriptions/${id}/redeliver`, { states: ['delivered'] });
    await running.relay.clock.advance(0);
    expect(idsIn(actor.requests)).toEqual(['one', 'one']);
  });
});

it('128 KiB of the large events that wait, and one more, are in memory', async () => {
  running = await start({ role: 'ingress' });
  await subscribe(running, 'https://hooks.example.com/1');
  const text = 'x'.repeat(100_000);
  for (const id of ['1', '2', '3', '4', '5']) await running.deliver({ id, type, data: { text } });
  const { pool } = openPool(running.databaseUrl, () => undefined, poolUses.sending);
  try {
    const { clock } = running.relay;
    const leases = new Leases(pool);
    const [lease] = (await leases.claim(clock.now(), [], 10)).leases;
    if (!lease) throw new Error('Nothing was claimed.');
    const readers = new DueDeliveryReaders(pool, clock, leases.owner);
    const { tasks, hasMore } = await readers.next(lease, lease);
    expect([tasks.length, hasMore]).toEqual([2, true]);
  } finally {
    await pool.end();
  }
});

it('a revoked token gets nothing more, however many of its events wait', async () => {
  running = await start({ clock: 'running' });
  const open: (() => void)[] = [];
  const hold = Array(10_000).fill((socket: { write(text: string): void }) =>
    open.push(() => socket.write(accepted)),
  );
  const actor = await startActor(hold);
  await subscribe(running, actor.url);
  await storeEvents(running, { count: 2_000, type, state: 'waiting' });
  await eventually(() => actor.requests.length > 0, 'an event arrived');
  await running.relay.tokens.revoke('main', running.tokenName);
  const isLeft = "SELECT FROM lease WHERE leased_until < clock_timestamp() + interval '13 s'";
  await eventually(
    async () => (await query(isLeft)).rowCount === 1,
    'the sender has looked at its leases, and kept none',
  );
  const begun = actor.requests.length;
  for (const respond of open.splice(0)) respond();
  await eventually(
    async () => (await query('SELECT FROM lease WHERE owner IS NOT NULL')).rowCount === 0,
    'no lease has an owner',
  );
  const events = actor.requests.filter((request) => request.startsWith('POST'));
  expect(events.length).toBeLessThanOrEqual(begun);
});
