import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openPool } from '../../../packages/relay/src/base/database.ts';
import { settleEndedSubscriptions } from '../../../packages/relay/src/operate/maintenance.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { type Play, rawResponse, startActor } from '../support/actor.ts';
import { onDatabase, type Running, start, subscribe } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

const [paid, registered] = ['campaign.paid', 'user.registered'] as const;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Requests change the database, and nothing is delivered until a sender starts. */
let running: Running;

beforeEach(async () => {
  running = await start({ role: 'ingress' });
});

const query = (text: string) => running.query(text);
const store = (
  count: number,
  state: 'waiting' | 'pending' | 'delivered' | 'dead',
  type: typeof paid | typeof registered = paid,
) => storeEvents(running, { count, type, state });
const put = async (target_url: string, more: object = {}) => {
  const { body } = await running.call('PUT', '/subscriptions', {
    ...{ target_url, events: [paid] },
    ...more,
  });
  return body;
};
const post = async (id: string, verb: string, body?: object) =>
  (await running.call('POST', `/subscriptions/${id}/${verb}`, body)).body;

/** A sender of the same relay, at the same time by its clock. */
async function startSender(): Promise<Running> {
  const { databaseUrl, relay } = running;
  const startAt = relay.clock.now();
  const sender = await start({ role: 'sender', databaseUrl, startAt, random: () => 0 });
  // A claim leaves what is locked at its moment to the next one.
  for (const ms of [1, 0]) await sender.relay.clock.advance(ms);
  return sender;
}

/** The number after `lead-` in the events that arrived: 0 is the newest that was stored at once. */
const arrived = (requests: readonly string[]) =>
  requests.map((request) => /"email":"lead-(\d+)@|"id":"(\w+)"/.exec(request)?.slice(1).join(''));
const failing = (count: number): Play[] => Array(count).fill(rawResponse(500));

it.each([
  ['a new event', async () => void (await running.deliver({ id: 'new', type: paid, data: {} }))],
  ['a retry that became due', async () => void (await store(1, 'pending'))],
])('beside a redelivery of many, %s waits for a second, not for all of them', async (_, begin) => {
  let jumpedMs = 0;
  const realNow = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + jumpedMs);
  const begun = Promise.withResolvers<() => void>();
  let isBegun = false;
  const actor = await startActor([
    (socket) => {
      isBegun = true;
      begun.resolve(() => socket.write(rawResponse(200)));
    },
  ]);
  const id = await subscribe(running, actor.url, { max_concurrency: 1 });
  await store(60, 'delivered');
  await post(id, 'redeliver', { states: ['delivered'] });
  const sending = startSender().then(async ({ relay: { clock } }) => {
    // A claim leaves what is locked at its moment to a later one, which a frozen clock has only by hand.
    while (!isBegun) await clock.advance(1_000);
    await clock.advance(1_000);
  });
  // A sender that does not start says why.
  await Promise.race([begun.promise, sending]);
  await begin();
  jumpedMs = 1_000;
  (await begun.promise)();
  await sending;
  expect(arrived(actor.requests)[1]).toMatch(/^(?:new|0)$/);
  expect(actor.requests).toHaveLength(61);
});

describe('the same request again begins again', () => {
  it('retry: what failed since the first one is retried, too', async () => {
    const actor = await startActor(failing(10));
    const id = await subscribe(running, actor.url);
    await store(30, 'pending');
    await query("UPDATE delivery SET next_at = '2027-03-02'");
    expect(await post(id, 'retry')).toEqual({ deliveries: 30, has_more: false });
    const sender = await startSender();
    expect(actor.requests).toHaveLength(10);
    expect(await post(id, 'retry')).toEqual({ deliveries: 30, has_more: false });
    expect((await query('SELECT FROM job')).rowCount).toBe(1);
    await sender.relay.clock.advance(1);
    expect(actor.requests).toHaveLength(40);
  });

  it('a narrower one leaves the wider one', async () => {
    const id = await subscribe(running, 'https://hooks.example.com/1');
    await store(9, 'dead');
    const { rows } = await query('SELECT received_at FROM event WHERE position = 5');
    const later = { states: ['dead'], from: rows[0].received_at.toISOString() };
    expect(await post(id, 'redeliver', { states: ['dead'] })).toMatchObject({ deliveries: 9 });
    expect(await post(id, 'redeliver', later)).toMatchObject({ deliveries: 5 });
    const jobs = (await query('SELECT position, until FROM job ORDER BY number')).rows;
    expect(jobs).toEqual([
      { position: '0', until: '9' },
      { position: '4', until: '9' },
    ]);
  });

  it('redeliver: what died before is sent as often as it was counted', async () => {
    const actor = await startActor([...Array(4).fill(rawResponse(200)), rawResponse(410)]);
    const id = await subscribe(running, actor.url, { max_concurrency: 1 });
    await store(20, 'dead');
    const states = { states: ['dead'] };
    expect(await post(id, 'redeliver', states)).toEqual({ deliveries: 20, has_more: false });
    const sender = await startSender();
    expect(actor.requests).toHaveLength(5);
    expect(await post(id, 'redeliver', states)).toEqual({ deliveries: 16, has_more: false });
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'active' });
    await sender.relay.clock.advance(1);
    expect(actor.requests).toHaveLength(21);
  });
});

describe('prune', () => {
  /** The relay also prunes when it starts, so what is left is said, and not which of both deleted it. */
  const left = async () => {
    await running.relay.prune(hour);
    return (await query('SELECT FROM event')).rowCount;
  };

  /** Holds the lock of a request that needs the events. */
  const whilePruneWaits = (work: () => Promise<void>) =>
    onDatabase(running.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock_shared(7001, 1)');
      await work();
      await client.query('COMMIT');
    });

  it('keeps what a job has still to deliver, and what is pending of one that is off', async () => {
    const id = await subscribe(running, 'https://hooks.example.com/1');
    await whilePruneWaits(async () => {
      await store(40, 'delivered');
      // In two transactions: maintenance takes the same locks in another order.
      await query('DELETE FROM delivery');
      await query('DELETE FROM attempt');
      await post(id, 'redeliver', { missing: true, from: '2020-01-01T00:00:00Z' });
    });
    expect(await left()).toBe(40);
    await query('DELETE FROM job');
    await query(`INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
        attempts_since_replay, replays, next_at)
      SELECT 1, min(position), 1, 'pending', 1, 1, 0, now() FROM event`);
    await running.call('PATCH', `/subscriptions/${id}`, { state: 'off' });
    expect(await left()).toBe(1);
  });

  it('leaves the end of the log where it is, also when no event is left', async () => {
    await store(3, 'waiting');
    expect(await left()).toBe(0);
    await subscribe(running, 'https://hooks.example.com/1');
    const { rows } = await query('SELECT position, since FROM subscription');
    expect(rows).toEqual([{ position: '3', since: ['3'] }]);
  });

  it('waits for a request that needs the events', async () => {
    let pruned: Promise<unknown> | undefined;
    await whilePruneWaits(async () => {
      await store(3, 'waiting');
      pruned = left();
      expect((await query('SELECT FROM event')).rowCount).toBe(3);
    });
    expect(await pruned).toBe(0);
  });

  it.each([
    [
      'an operator switches on',
      'by_hand',
      (id: string) => running.call('PATCH', `/subscriptions/${id}`, { state: 'active' }),
    ],
    [
      'the first use of a new key switches on',
      'key_rotated',
      (id: string) => running.call('GET', `/subscriptions/${id}`),
    ],
  ])('deletes nothing that a subscription waits for which %s', async (_, reason, switchOn) => {
    const id = await subscribe(running, 'https://hooks.example.com/1');
    await store(3, 'waiting');
    await query(`UPDATE token SET has_unused_key = true;
      UPDATE subscription SET state = 'off', off_reason = '${reason}', stopped_at = '2027-03-01'`);
    await onDatabase(running.databaseUrl, async (client) => {
      await client.query('BEGIN; SELECT FROM event FOR UPDATE');
      const pruned = left();
      await waitForLocks(running, 1);
      let isOn = false;
      const switched = switchOn(id).then(({ body }) => {
        isOn = body.state === 'active';
      });
      await Promise.race([waitForLocks(running, 2), switched]);
      // Pruning has chosen them while it was off, so it ends first.
      expect(isOn).toBe(false);
      await client.query('COMMIT');
      expect(await pruned).toBe(0);
      await switched;
      expect(isOn).toBe(true);
    });
  });

  it('of events leaves subscriptions that are off, and the retention leaves those that are off by hand', async () => {
    for (const [nth, state] of ['by_hand', 'key_rotated', 'gone'].entries()) {
      await subscribe(running, `https://hooks.example.com/${nth}`);
      await query(`UPDATE subscription SET state = 'off', off_reason = '${state}',
        stopped_at = '2027-03-01' WHERE number = ${nth + 1}`);
    }
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(hour)).toEqual({ events: 0, subscriptions: 0 });
    await running.relay.clock.advance(31 * day);
    await running.relay.clock.advance(1);
    const left = (await running.call('GET', '/subscriptions')).body.data;
    expect(left.map((one: { off_reason: string }) => one.off_reason)).toEqual(['by_hand']);
  });
});

describe('what a subscription skips', () => {
  it('does not come by a job from before, and comes once it catches up', async () => {
    const actor = await startActor();
    const id = await subscribe(running, actor.url);
    await store(30, 'delivered');
    await query('DELETE FROM delivery');
    await post(id, 'redeliver', { missing: true, from: '2020-01-01T00:00:00Z' });
    await put(actor.url, { catch_up: false });
    const sender = await startSender();
    expect(actor.requests).toEqual([]);
    expect((await query('SELECT skipped_from FROM subscription')).rows).toEqual([
      { skipped_from: '0' },
    ]);
    await sender.relay.close();
  });

  it('gets no retry of what was under way', async () => {
    const actor = await startActor();
    const responding = Promise.withResolvers<() => void>();
    actor.answers.push((socket) => responding.resolve(() => socket.write(rawResponse(500))));
    await put(actor.url);
    await running.deliver({ id: 'one', type: paid, data: {} });
    const sending = startSender();
    const respond = await responding.promise;
    await put(actor.url, { catch_up: false });
    respond();
    const sender = await sending;
    await sender.relay.clock.advance(hour);
    expect(arrived(actor.requests)).toEqual(['one']);
    await put(actor.url, { catch_up: true });
    await sender.relay.clock.advance(1);
    expect(arrived(actor.requests)).toEqual(['one', 'one']);
  });
});

it('a type that a subscription adds does not come back into what it took over', async () => {
  const actor = await startActor();
  const both = { events: [paid, registered] };
  const id = await subscribe(running, 'https://hooks.example.com/1', both);
  await store(3, 'delivered', paid);
  await store(3, 'delivered', registered);
  await query('DELETE FROM delivery');
  await post(id, 'redeliver', { missing: true, from: '2020-01-01T00:00:00Z' });
  await put(actor.url, { replaces: id });
  await put(actor.url, both);
  await startSender();
  const types = actor.requests.map((request) => /"type":"([\w.]+)"/.exec(request)?.[1]);
  expect(types).toEqual([paid, paid, paid]);
});

it('the end of a grace period leaves deliveries of a subscription that a request holds', async () => {
  await subscribe(running, 'https://hooks.example.com/1');
  // The relay's own maintenance has ended.
  await running.relay.clock.advance(0);
  await store(8, 'pending');
  await query(`UPDATE subscription
    SET state = 'off', off_reason = 'unsubscribed', stopped_at = '2027-03-01 08:00Z'`);
  const { pool, db } = openPool(running.databaseUrl, () => undefined);
  closeAfterTest(() => pool.end());
  const settle = () =>
    settleEndedSubscriptions({ pool, db, clock: running.relay.clock } as never, () => false);
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM subscription FOR NO KEY UPDATE');
    await settle();
    expect((await query("SELECT FROM delivery WHERE state = 'pending'")).rowCount).toBe(8);
    await client.query('COMMIT');
  });
  await settle();
  expect((await query("SELECT FROM delivery WHERE state = 'dead'")).rowCount).toBe(8);
});

it('a 410 to an attempt from before an operator switched off and on switches nothing off', async () => {
  const actor = await startActor();
  const responding = Promise.withResolvers<() => void>();
  actor.answers.push((socket) => responding.resolve(() => socket.write(rawResponse(410))));
  const { id } = await put(actor.url);
  await running.deliver({ id: 'one', type: paid, data: {} });
  const sending = startSender();
  const respond = await responding.promise;
  for (const state of ['off', 'active']) {
    await running.call('PATCH', `/subscriptions/${id}`, { state });
  }
  respond();
  await sending;
  expect((await running.call('GET', `/subscriptions/${id}`)).body.state).toBe('active');
});

it.each([
  ['nothing that came with the other', '', ['after', 'between', 'pending', 'pending']],
  [
    'what the other gave up',
    "UPDATE delivery SET state = 'dead', reason = 'not_wanted' WHERE subscription_number = 2",
    ['after', 'between', 'between', 'pending', 'pending', 'pending'],
  ],
])('a subscription whose key changes and changes back gets %s', async (_, meanwhile, events) => {
  const { url, requests } = await startActor(failing(1));
  const { token } = await running.relay.tokens.create(running.source, 'other');
  const ask = async (key: string, replaces?: string): Promise<string> => {
    const body = { target_url: url, events: [paid], ...(replaces && { replaces }) };
    return (await running.call('PUT', '/subscriptions', body, key)).body.id;
  };
  const end = (key: string, id: string) =>
    running.call('DELETE', `/subscriptions/${id}`, undefined, key);
  const first = await ask(running.key.token);
  await running.deliver({ id: 'pending', type: paid, data: {} });
  const sender = await startSender();
  await end(running.key.token, first);
  const second = await ask(token, first);
  await running.deliver({ id: 'between', type: paid, data: {} });
  await sender.relay.clock.advance(1);
  await end(token, second);
  await query(meanwhile);
  await running.deliver({ id: 'after', type: paid, data: {} });
  await ask(running.key.token, second);
  await sender.relay.clock.advance(hour);
  expect(arrived(requests).sort()).toEqual(events);
});

it('a subscription that comes back and wants more gets what the other one had still to look for', async () => {
  const actor = await startActor();
  const { token } = await running.relay.tokens.create(running.source, 'other');
  const keys = { one: running.key.token, other: token };
  const ids: Partial<Record<keyof typeof keys, string>> = {};
  const publish = async (who: keyof typeof keys, replaces: keyof typeof keys, events: string[]) => {
    const body = { target_url: actor.url, events, replaces: ids[replaces] };
    const { id } = (await running.call('PUT', '/subscriptions', body, keys[who])).body;
    ids[who] = id;
    return () => running.call('DELETE', `/subscriptions/${id}`, undefined, keys[who]);
  };
  const end = await publish('one', 'other', [paid, registered]);
  await store(2, 'waiting', paid);
  await store(2, 'waiting', registered);
  await end();
  await (await publish('other', 'one', [paid]))();
  await (await publish('one', 'other', [paid, registered]))();
  await publish('other', 'one', [paid, registered]);
  await startSender();
  const types = actor.requests.map((request) => /"type":"([\w.]+)"/.exec(request)?.[1]);
  expect(types.sort()).toEqual([paid, paid, registered, registered]);
});

it('what is missing is found after thousands of other types, and that are known, and erased ones are passed', async () => {
  const actor = await startActor();
  await put(actor.url);
  await store(2_100, 'waiting', registered);
  await store(2_103, 'delivered');
  await query(`DELETE FROM delivery WHERE position > (SELECT max(position) - 3 FROM event);
    UPDATE event SET body = NULL WHERE position = (SELECT max(position) FROM event)`);
  const { id } = await put(actor.url);
  const missing = { missing: true, from: '2020-01-01T00:00:00Z' };
  expect(await post(id, 'redeliver', missing)).toEqual({ deliveries: 0, has_more: true });
  await startSender();
  expect(arrived(actor.requests)).toEqual(['2', '1']);
  expect((await query('SELECT FROM job')).rowCount).toBe(0);
});

it('an erasure waits for no maintenance of the table of attempts', async () => {
  await running.deliver({ id: 'one', type: paid, data: { email: 'anna@example.com' } });
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query('BEGIN');
    // As VACUUM and CREATE INDEX CONCURRENTLY do.
    await client.query('LOCK TABLE attempt IN SHARE UPDATE EXCLUSIVE MODE');
    const erased = await running.relay.operate('events.erase', { search: 'anna@example.com' });
    expect(erased).toEqual({ erased: 1 });
    await client.query('COMMIT');
  });
});

it('a retry that is read between the two commits of an erasure dies for that reason', async () => {
  const actor = await startActor();
  await subscribe(running, actor.url);
  await store(1, 'pending');
  // The first one.
  await query('UPDATE event SET body = NULL');
  await startSender();
  expect(actor.requests).toEqual([]);
  const { rows } = await query('SELECT state, reason FROM delivery');
  expect(rows).toEqual([{ state: 'dead', reason: 'erased' }]);
});

it('what a wrong clock wrote is due once the clock is right', async () => {
  const actor = await startActor();
  await subscribe(running, actor.url);
  await store(1, 'pending');
  await query(
    "UPDATE lease SET paused_until = '2028-01-01'; UPDATE delivery SET next_at = '2028-01-01'",
  );
  await running.relay.clock.advance(1);
  await startSender();
  expect(actor.requests).toHaveLength(1);
});
