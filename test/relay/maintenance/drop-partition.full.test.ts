import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;
/** Of the day on which the relays of tests start. */
const tables = ['attempt_20270301', 'delivery_delivered_20270301', 'event_20270301'];

const query = async (running: Running, text: string, values: unknown[] = []) =>
  onDatabase(running.databaseUrl, async (client) => (await client.query(text, values)).rows);

const namesOf = async (running: Running, pattern: string): Promise<string[]> =>
  (
    await query(
      running,
      'SELECT relname FROM pg_class WHERE relispartition AND relname ~ $1 AND relkind = $2 ORDER BY 1',
      [pattern, 'r'],
    )
  ).map(({ relname }) => relname);

const eventsOf = async (running: Running) =>
  (await running.call('GET', '/events')).body.data.map(
    ({ payload }: { payload: { id: string } }) => payload.id,
  );

/** Whether pruning waits for a lock of others. */
const isWaiting = async (running: Running) =>
  (await query(running, "SELECT FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE event%'"))
    .length > 0;

/** A relay with a subscription and three events of a day, which are delivered. */
async function withEvents(): Promise<Running> {
  const receiver = await startReceiver();
  const running = await start();
  const wanted = { target_url: receiver.url, events: [type] };
  await running.call('PUT', '/subscriptions', wanted);
  for (const id of ['1', '2', '3']) await running.deliver({ id, type, data: {} });
  await running.relay.clock.advance(0);
  return running;
}

/** More than stay when a day is dropped. */
async function deliverMany(running: Running): Promise<void> {
  const many = Array.from({ length: 1_001 }, (_, nth) => ({ id: `more-${nth}`, type, data: {} }));
  await Promise.all(many.map((event) => running.deliver(event)));
  await running.relay.clock.advance(0);
}

describe('pruning a day', () => {
  it('drops its partitions', async () => {
    const running = await withEvents();
    expect(await namesOf(running, '20270301')).toEqual(tables);
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(day)).toEqual({ events: 3, subscriptions: 0 });
    expect(await namesOf(running, '20270301')).toEqual([]);
    expect(await eventsOf(running)).toEqual([]);
    expect(await query(running, 'SELECT FROM delivery UNION ALL SELECT FROM attempt')).toEqual([]);
  });

  it('keeps an event with a pending delivery, its other deliveries and its attempts', async () => {
    const running = await withEvents();
    await query(
      running,
      `UPDATE delivery SET state = 'pending', next_at = now() + interval '9 years'
        WHERE event_id IN (SELECT id FROM event WHERE convert_from(body, 'UTF8')::jsonb ->> 'id' = '2')`,
    );
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(day)).toMatchObject({ events: 2 });
    expect(await namesOf(running, '20270301')).toEqual([]);
    expect(await eventsOf(running)).toEqual(['2']);
    const [delivery] = (await running.call('GET', '/deliveries')).body.data;
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ status: 200 }] });
    // It is pruned once nothing holds it.
    await query(running, "UPDATE delivery SET state = 'dead', next_at = NULL");
    expect(await running.relay.prune(day)).toMatchObject({ events: 1 });
  });

  it.each(['dead', 'ignored'])('deletes its %s deliveries first, however many', async (state) => {
    const running = await withEvents();
    await deliverMany(running);
    await query(running, 'UPDATE delivery SET state = $1', [state]);
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(day)).toMatchObject({ events: 1_004 });
    expect(await namesOf(running, '20270301')).toEqual([]);
    expect(await query(running, 'SELECT FROM delivery')).toEqual([]);
  });

  it('deletes events one by one where more than a thousand stay', async () => {
    const running = await withEvents();
    await deliverMany(running);
    await query(
      running,
      `UPDATE delivery SET state = 'pending', next_at = now() + interval '9 years'
        WHERE event_id IN (SELECT id FROM event WHERE convert_from(body, 'UTF8')::jsonb ->> 'id' LIKE 'more-%')`,
    );
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(day)).toMatchObject({ events: 3 });
    expect(await namesOf(running, '20270301')).toEqual(tables);
    expect(await query(running, 'SELECT FROM event')).toHaveLength(1_001);
  });

  it('reports the gap to pollers whose position was before it', async () => {
    const running = await withEvents();
    const { data } = (await running.call('GET', '/events')).body;
    const positions: string[] = data.map((event: { position: string }) => event.position).sort();
    await running.relay.clock.advance(2 * day);
    await running.relay.prune(day);
    expect((await running.call('GET', `/events?after=${positions[0]}`)).body).toMatchObject({
      status: 410,
      position: positions[2]?.replace(/-.*/, ''),
    });
  });

  it('lets others finish first, and holds up no event', async () => {
    const running = await withEvents();
    await running.relay.clock.advance(2 * day);
    await onDatabase(running.databaseUrl, async (reader) => {
      await reader.query('BEGIN; SELECT count(*) FROM event');
      const pruned = running.relay.prune(day);
      while (!(await isWaiting(running)));
      expect((await running.deliver({ id: 'new', type, data: {} })).body).toEqual({ stored: true });
      await reader.query('COMMIT');
      expect(await pruned).toMatchObject({ events: 3 });
    });
    expect(await eventsOf(running)).toEqual(['new']);
  });

  it('keeps an event that is being replayed', async () => {
    const running = await withEvents();
    await query(running, "UPDATE delivery SET state = 'dead'");
    await running.relay.clock.advance(2 * day);
    await onDatabase(running.databaseUrl, async (client) => {
      await client.query(`BEGIN; UPDATE delivery SET state = 'pending', next_at = now() + interval '9 years'
        WHERE event_id = (SELECT min(event_id::text)::uuid FROM delivery)`);
      const pruned = running.relay.prune(day);
      while (!(await isWaiting(running)));
      await client.query('COMMIT');
      expect(await pruned).toMatchObject({ events: 2 });
    });
    expect((await running.call('GET', '/deliveries')).body.data).toMatchObject([
      { state: 'pending' },
    ]);
  });

  it('gives up for now if others never pause', async () => {
    const running = await withEvents();
    await running.relay.clock.advance(2 * day);
    await onDatabase(running.databaseUrl, async (reader) => {
      await reader.query('BEGIN; SELECT count(*) FROM event');
      await expect(running.relay.prune(day)).rejects.toThrow('lock timeout');
      await reader.query('COMMIT');
    });
    expect(await running.relay.prune(day)).toMatchObject({ events: 3 });
  });

  it('is done once, although two processes do it', async () => {
    const running = await withEvents();
    const other = await start({ databaseUrl: running.databaseUrl });
    for (const { relay } of [running, other]) await relay.clock.advance(2 * day);
    const pruned = await Promise.all([running, other].map(({ relay }) => relay.prune(day)));
    expect(pruned.map(({ events }) => events).sort()).toEqual([0, 3]);
  });
});
