import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

async function subscribed(running: Running, url: string): Promise<string> {
  const { body } = await running.call('PUT', '/subscriptions', { target_url: url, events: [type] });
  return body.id;
}

const deliveries = async (running: Running) => (await running.call('GET', '/deliveries')).body.data;

/**
 * Stores an event while `meanwhile` runs: the ingest has chosen its subscriptions but not
 * committed.
 */
async function storeDuring(running: Running, meanwhile: () => Promise<unknown>): Promise<void> {
  await onDatabase(running.databaseUrl, async (client) => {
    await client.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    await client.query(
      'CREATE TRIGGER hold BEFORE INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION hold()',
    );
  });
  const holder = new Client({ connectionString: running.databaseUrl });
  await holder.connect();
  try {
    await holder.query('SELECT pg_advisory_lock(1)');
    const stored = running.deliver({ id: '1', type });
    await eventually(async () => {
      const { rows } = await holder.query(`SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      return rows.length === 1;
    });
    await meanwhile();
    await holder.query('SELECT pg_advisory_unlock(1)');
    expect((await stored).status).toBe(202);
  } finally {
    await holder.end();
  }
}

describe('a delivery that becomes pending while its subscription is switched off', () => {
  it('by a concurrent ingest goes to the dead list, and is replayed later', async () => {
    const receiver = await startReceiver();
    const ingress = await start({ role: 'ingress' });
    const id = await subscribed(ingress, receiver.url);
    await storeDuring(ingress, () => ingress.relay.subscriptions.off(id));
    const sender = await start({ role: 'sender', databaseUrl: ingress.databaseUrl });
    await sender.relay.clock.advance(0);
    expect(await deliveries(ingress)).toMatchObject([
      { state: 'dead', reason: 'subscription_off: by_hand', next_attempt_at: null, attempts: [] },
    ]);
    expect(await subscribed(ingress, receiver.url)).toBe(id);
    expect(
      (await ingress.call('POST', `/subscriptions/${id}/replay`, { state: 'dead' })).body,
    ).toEqual({ replayed: 1, has_more: false });
    await sender.relay.clock.advance(0);
    expect(await deliveries(ingress)).toMatchObject([{ state: 'delivered' }]);
    expect(receiver.arrivals).toHaveLength(1);
  });

  it('is swept at once if one process does all', async () => {
    const running = await start();
    const id = await subscribed(running, 'http://127.0.0.1:1/');
    await storeDuring(running, () => running.call('DELETE', `/subscriptions/${id}`));
    await running.relay.clock.advance(0);
    expect(await deliveries(running)).toMatchObject([
      { state: 'dead', reason: 'subscription_off: deleted' },
    ]);
  });

  it('by a sender that records an attempt blocks nothing, and is swept later', async () => {
    const running = await start({ role: 'ingress' });
    const id = await subscribed(running, 'http://127.0.0.1:1/');
    await running.deliver({ id: '1', type });
    await running.deliver({ id: '2', type });
    await onDatabase(running.databaseUrl, async (sender) => {
      await sender.query('BEGIN');
      await sender.query('SELECT FROM delivery ORDER BY event_id DESC LIMIT 1 FOR UPDATE');
      await running.relay.subscriptions.off(id);
      await running.relay.clock.advance(0);
      const states = (await deliveries(running)).map(({ state }: { state: string }) => state);
      expect(states).toEqual(['pending', 'dead']);
      await sender.query('COMMIT');
    });
    const sender = await start({ role: 'sender', databaseUrl: running.databaseUrl });
    await sender.relay.clock.advance(0);
    expect(await deliveries(running)).toMatchObject([{ state: 'dead' }, { state: 'dead' }]);
  });

  it('by an attempt that fails afterwards goes to the dead list', async () => {
    const receiver = await startReceiver(['hang']);
    const running = await start({ deliveryTimeoutMs: 400 });
    const id = await subscribed(running, receiver.url);
    await running.deliver({ id: '1', type });
    await eventually(() => receiver.arrivals.length === 1);
    await running.relay.subscriptions.off(id);
    await eventually(async () => (await deliveries(running))[0].state === 'dead');
    expect(await deliveries(running)).toMatchObject([{ state: 'dead', attempts: [] }]);
    await running.relay.clock.advance(0);
    await running.relay.clock.advance(0);
    expect(await deliveries(running)).toMatchObject([
      { state: 'dead', reason: 'subscription_off: by_hand', attempts: [{ status: null }] },
    ]);
  });
});
