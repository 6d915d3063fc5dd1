import { describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import type { RelayContext } from '../../../packages/relay/src/context.ts';
import { connect } from '../../../packages/relay/src/database/connect.ts';
import { prune } from '../../../packages/relay/src/maintenance/prune.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, secretKey, start } from '../support/running-relay.ts';
import { storeEvents } from '../support/stored-events.ts';

const type = 'campaign.paid';
const hour = 3_600_000;
const day = 24 * hour;

async function subscribed(running: Running, url: string): Promise<string> {
  const { body } = await running.call('PUT', '/subscriptions', { target_url: url, events: [type] });
  return body.id;
}

const counts = (running: Running) =>
  onDatabase(running.databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT
      (SELECT count(*)::integer FROM event) AS events,
      (SELECT count(*)::integer FROM delivery) AS deliveries,
      (SELECT count(*)::integer FROM attempt) AS attempts,
      (SELECT count(*)::integer FROM body) AS bodies,
      (SELECT count(*)::integer FROM subscription) AS subscriptions`);
    return rows[0];
  });

const keys = async (running: Running) =>
  (await running.call('GET', '/events')).body.data
    .map(({ payload }: { payload: { id: string } }) => payload.id)
    .sort();

describe('pruning', () => {
  it('deletes the events of a day automatically, 30 days after its end', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await subscribed(running, receiver.url);
    await running.deliver({ id: 'old', type });
    await running.relay.clock.advance(day);
    await running.deliver({ id: 'young', type });
    // The first day began nine hours before.
    await running.relay.clock.advance(30 * day - 9 * hour - 1);
    await running.relay.clock.advance(0);
    expect(await keys(running)).toEqual(['old', 'young']);
    await running.relay.clock.advance(1);
    await running.relay.clock.advance(0);
    expect(await keys(running)).toEqual(['young']);
    expect(await counts(running)).toMatchObject({ events: 1, deliveries: 1, attempts: 1 });
  });

  it('keeps what is pending, and what died recently as long as anything else', async () => {
    const receiver = await startReceiver(Array(100).fill(500));
    const running = await start({ role: 'ingress', retentionDays: 1 });
    const id = await subscribed(running, receiver.url);
    await running.deliver({ id: 'failing', type });
    const options = { databaseUrl: running.databaseUrl, retentionDays: 1 };
    const { relay } = await start(options);
    // The last attempt is made 272,135 s after the first.
    await relay.clock.advance(2 * day);
    await relay.clock.advance(1.5 * day);
    expect((await running.call('GET', '/deliveries')).body.data).toMatchObject([{ state: 'dead' }]);
    expect(await relay.prune(day)).toEqual({ events: 0, subscriptions: 0 });
    receiver.answers.length = 0;
    await running.call('POST', `/subscriptions/${id}/replay`, { state: 'dead' });
    await relay.clock.advance(0);
    expect((await running.call('GET', '/deliveries')).body.data).toMatchObject([
      { state: 'delivered' },
    ]);
    await relay.clock.advance(day + 1);
    expect(await relay.prune(day)).toEqual({ events: 1, subscriptions: 0 });
    expect(await counts(running)).toMatchObject({ events: 0, deliveries: 0, attempts: 0 });
  });

  it('keeps the keys that detect duplicates', async () => {
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
    expect(await counts(running)).toMatchObject({ events: 2, bodies: 1 });
    await running.relay.clock.advance(2 * hour);
    expect(await running.relay.prune(hour)).toMatchObject({ events: 2 });
    expect(await counts(running)).toMatchObject({ events: 0, bodies: 0 });
    expect((await running.deliver(body, { signedAt })).status).toBe(401);
    expect((await running.deliver(event)).body).toEqual({ stored: true });
  });

  it('rejects a setting of less than a day', async () => {
    await expect(start({ retentionDays: 0 })).rejects.toThrow(
      'retentionDays must be 1 or more, not 0.',
    );
  });

  it('removes subscriptions that were deleted earlier', async () => {
    const running = await start();
    const id = await subscribed(running, 'https://hooks.example.com/1');
    await subscribed(running, 'https://hooks.example.com/2');
    await running.call('DELETE', `/subscriptions/${id}`);
    await running.relay.clock.advance(2 * day);
    expect(await running.relay.prune(3 * day)).toEqual({ events: 0, subscriptions: 0 });
    expect(await running.relay.prune(day)).toEqual({ events: 0, subscriptions: 1 });
    expect(await counts(running)).toMatchObject({ subscriptions: 1 });
    expect((await running.call('DELETE', `/subscriptions/${id}`)).status).toBe(404);
  });

  it('of single events continues behind what stays, in small transactions', async () => {
    const receiver = await startReceiver();
    const running = await start();
    await subscribed(running, receiver.url);
    // A day without a partition.
    await running.relay.clock.advance(9 * day);
    for (let number = 0; number < 7; number += 1) {
      await running.deliver({ id: `${number}`, type });
      await running.relay.clock.advance(1);
    }
    await onDatabase(running.databaseUrl, (client) =>
      client.query(`UPDATE delivery SET state = 'pending', next_at = now() + interval '1 year'
        WHERE event_id IN (SELECT id FROM event ORDER BY id OFFSET 2 LIMIT 2)`),
    );
    await onDatabase(running.databaseUrl, async (client) => {
      await client.query('CREATE TABLE gone (transaction xid8)');
      await client.query(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO gone VALUES (pg_current_xact_id()); RETURN OLD; END $$`);
      await client.query(
        'CREATE TRIGGER note BEFORE DELETE ON event FOR EACH ROW EXECUTE FUNCTION note()',
      );
    });
    const database = connect(running.databaseUrl, () => undefined);
    try {
      const context = { ...database, clock: running.relay.clock } as unknown as RelayContext;
      const before = running.relay.clock.now() + day;
      await running.relay.clock.advance(2 * day);
      await onDatabase(running.databaseUrl, (client) =>
        client.query("UPDATE attempt SET at = at - interval '1 day'"),
      );
      expect(await prune(context, { before, batchSize: 2 })).toMatchObject({ events: 5 });
    } finally {
      await database.db.destroy();
    }
    expect(await keys(running)).toEqual(['2', '3']);
    await onDatabase(running.databaseUrl, async (client) => {
      const { rows } = await client.query(
        'SELECT count(*)::integer AS count FROM gone GROUP BY transaction ORDER BY 1',
      );
      expect(rows.map(({ count }) => count)).toEqual([1, 2, 2]);
    });
  });
});

describe('a relay that starts with its clock weeks ahead', () => {
  it('prunes nothing, since its newest event does not show that so much time has passed', async () => {
    const { databaseUrl, call } = await start();
    await call('PUT', '/subscriptions', { target_url: 'http://127.0.0.1:9/', events: [type] });
    await onDatabase(databaseUrl, async (client) => {
      await storeEvents(client, { count: 5, type, state: 'delivered', secondsAgo: 40 * 86_400 });
      await client.query("UPDATE attempt SET at = at - interval '40 days'");
    });
    const relay = await createRelay({ databaseUrl, secretKey });
    await relay.listen();
    // Waits for the first pruning.
    await relay.close();
    const { rows } = await onDatabase(databaseUrl, (client) => client.query('SELECT FROM event'));
    expect(rows).toHaveLength(5);
  });
});
