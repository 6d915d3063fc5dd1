import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase, type Running, start, startAt, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';
const hour = 3_600_000;
const day = 24 * hour;

const keys = async (running: Running) =>
  (await running.call('GET', '/events?limit=200')).body.data
    .map(({ payload }: { payload: { id: string } }) => payload.id)
    .sort();

const deliveries = async (running: Running) => (await running.call('GET', '/deliveries')).body.data;

describe('pruning', () => {
  it('deletes an event automatically, 30 days after it arrived', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await subscribe(running, receiver.url);
    await running.deliver({ id: 'old', type });
    await running.relay.clock.advance(day);
    await running.deliver({ id: 'young', type });
    await running.relay.clock.advance(29 * day);
    await running.relay.clock.advance(0);
    expect(await keys(running)).toEqual(['old', 'young']);
    await running.relay.clock.advance(1);
    await running.relay.clock.advance(0);
    expect(await keys(running)).toEqual(['young']);
    expect(await deliveries(running)).toHaveLength(1);
  });

  it('keeps what is pending, and what died recently as long as anything else', async () => {
    const receiver = await startReceiver(Array(100).fill(500));
    const running = await start({ role: 'ingress', retentionDays: 1 });
    const id = await subscribe(running, receiver.url);
    await running.deliver({ id: 'failing', type });
    await running.deliver({ id: 'beside', type: 'user.registered' });
    const { relay } = await start({ databaseUrl: running.databaseUrl, retentionDays: 1 });
    await relay.clock.advance(2 * day);
    expect(await relay.prune(day)).toEqual({ events: 1, subscriptions: 0 });
    expect(await deliveries(running)).toMatchObject([{ state: 'pending' }]);
    const lastAttemptMs = 272_135_000;
    await relay.clock.advance(lastAttemptMs - 2 * day + hour);
    expect(await deliveries(running)).toMatchObject([{ state: 'dead' }]);
    expect(await relay.prune(day)).toEqual({ events: 0, subscriptions: 0 });
    receiver.answers.length = 0;
    await running.call('POST', `/subscriptions/${id}/redeliver`, { states: ['dead'] });
    await relay.clock.advance(0);
    expect(await deliveries(running)).toMatchObject([{ state: 'delivered' }]);
    await relay.clock.advance(day + 1);
    expect(await relay.prune(day)).toEqual({ events: 1, subscriptions: 0 });
    for (const table of ['event', 'delivery', 'attempt']) {
      expect((await running.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
    }
  });

  it('deletes single events where others stay', async () => {
    const running = await start({ role: 'ingress' });
    await subscribe(running, 'https://hooks.example.com/1');
    const waiting = Array.from({ length: 100 }, (_, nth) => ({ id: `waits-${nth}`, type }));
    await Promise.all(waiting.map((event) => running.deliver(event)));
    for (const id of ['1', '2', '3']) await running.deliver({ id, type: 'user.registered' });
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(day)).toMatchObject({ events: 3 });
    const { data } = (await running.call('GET', '/events?type=user.registered')).body;
    expect(data).toEqual([]);
    expect(await running.relay.prune(day)).toMatchObject({ events: 0 });
  });

  it('is done once, although two processes do it', async () => {
    const running = await start();
    for (const id of ['1', '2', '3']) await running.deliver({ id, type });
    const other = await start({ databaseUrl: running.databaseUrl });
    for (const { relay } of [running, other]) await relay.clock.advance(2 * day);
    const pruned = await Promise.all([running, other].map(({ relay }) => relay.prune(day)));
    expect(pruned.map(({ events }) => events).sort()).toEqual([0, 3]);
  });

  it('lets a reader finish first, and holds up no event', async () => {
    const running = await start();
    await running.deliver({ id: 'old', type });
    await running.relay.clock.advance(2 * day);
    await onDatabase(running.databaseUrl, async (reader) => {
      await reader.query('BEGIN; SELECT count(*) FROM event');
      const pruned = running.relay.prune(day);
      expect((await running.deliver({ id: 'new', type })).body).toEqual({ stored: true });
      await reader.query('COMMIT');
      expect(await pruned).toMatchObject({ events: 1 });
    });
    expect(await keys(running)).toEqual(['new']);
  });

  it('happens at no setting of less than a day', async () => {
    await expect(start({ retentionDays: 0 })).rejects.toThrow(
      'retentionDays must be 1 or more, not 0.',
    );
  });
});

describe('a duplicate is detected', () => {
  it('as long as the service may retry its event', async () => {
    const running = await start();
    const body = { type, data: { code: 'A' } };
    const signedAt = Math.floor(running.relay.clock.now() / 1000) + 890;
    const event = { id: '1', type, data: {} };
    await running.deliver(event);
    await running.deliver(body, { signedAt });
    await running.relay.clock.advance(1);
    await expect(running.relay.prune(hour - 1)).rejects.toThrow(
      'Events must stay for at least an hour, because the service may still retry them. Prune with --older-than 1h or more.',
    );
    await running.relay.clock.advance(29 * 60_000);
    await running.relay.prune(hour);
    expect((await running.deliver(event)).body).toEqual({ stored: false });
    expect((await running.deliver(body, { signedAt })).body).toEqual({ stored: false });
    await running.relay.clock.advance(2 * hour);
    expect(await running.relay.prune(hour)).toMatchObject({ events: 2 });
    expect((await running.deliver(body, { signedAt })).status).toBe(401);
    expect((await running.deliver(event)).body).toEqual({ stored: true });
  });

  it('without an ID, until an hour after both its arrival and its signature', async () => {
    const running = await start();
    const signedAt = Math.floor(running.relay.clock.now() / 1000) + 890;
    await running.deliver({ type, data: { code: 'A' } }, { signedAt });
    for (const [ms, expected] of [
      [hour + 800_000, 1],
      [100_000, 0],
    ] as const) {
      await running.relay.clock.advance(ms);
      await running.relay.prune(hour);
      const { rowCount } = await running.query('SELECT FROM seen_body');
      expect(rowCount).toBe(expected);
    }
  });
});

it('a relay that starts with its clock weeks ahead prunes nothing', async () => {
  const before = await start();
  for (const id of ['1', '2']) await before.deliver({ id, type });
  const { databaseUrl } = before;
  const later = await start({ databaseUrl, startAt: Date.parse(startAt) + 40 * day });
  for (const _ of ['begins', 'has ended']) await later.relay.clock.advance(0);
  expect(await keys(before)).toEqual(['1', '2']);
});
