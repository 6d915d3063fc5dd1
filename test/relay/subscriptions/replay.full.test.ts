import { describe, expect, it } from '@jest/globals';
import { runJobs } from '../../../packages/relay/src/subscriptions/jobs.ts';
import { type Replay, replay } from '../../../packages/relay/src/subscriptions/replay.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { jobs, onContext } from '../support/jobs.ts';
import { oneWaitsFor } from '../support/one-waits-for.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

/** Seven events, one a second from 09:00:01 on, for two subscriptions. */
async function delivered(): Promise<{ running: Running; ids: string[]; arrived: () => string[] }> {
  const receivers = await Promise.all([startReceiver(), startReceiver()]);
  const running = await start();
  const ids: string[] = [];
  for (const { url } of receivers) {
    const { body } = await running.call('PUT', '/subscriptions', {
      target_url: url,
      events: [type],
    });
    ids.push(body.id);
  }
  for (let number = 1; number <= 7; number += 1) {
    await running.relay.clock.advance(1_000);
    await running.deliver({ id: String(number), type, data: {} });
  }
  await running.relay.clock.advance(0);
  for (const { arrivals } of receivers) arrivals.length = 0;
  const arrived = () =>
    receivers.map(({ arrivals }) =>
      arrivals
        .splice(0)
        .map(({ body }) => JSON.parse(body).id)
        .sort()
        .join(' '),
    );
  return { running, ids, arrived };
}

describe('a replay', () => {
  it('sends all, a range, one event, one delivery, and those in a state', async () => {
    const { running, ids, arrived } = await delivered();
    const [first, second] = ids;
    const { data } = (await running.call('GET', '/deliveries?limit=4')).body;
    // Newest first: events 7 and 6, each for the second subscription and then the first.
    const [, delivery, { event_id: event }] = data;
    await onDatabase(running.databaseUrl, (client) =>
      client.query(`UPDATE delivery SET state = 'dead', next_at = NULL
        WHERE event_id IN (SELECT id FROM event ORDER BY id LIMIT 2)`),
    );
    const rows: [path: string, body: object, first: string, second: string][] = [
      [`/subscriptions/${first}/replay`, { state: 'dead' }, '1 2', ''],
      [`/subscriptions/${first}/replay`, { state: 'dead' }, '', ''],
      [`/subscriptions/${first}/replay`, {}, '1 2 3 4 5 6 7', ''],
      [`/subscriptions/${second}/replay`, { from: '2027-03-01T09:00:06Z' }, '', '6 7'],
      [`/subscriptions/${second}/replay`, { to: '2027-03-01T09:00:03Z' }, '', '1 2'],
      [
        `/subscriptions/${second}/replay`,
        { from: '2027-03-01T10:00:03+01:00', to: '2027-03-01T09:00:05Z', state: 'delivered' },
        '',
        '3 4',
      ],
      [`/events/${event}/replay`, {}, '6', '6'],
      [`/events/${event}/replay`, { subscription_id: second }, '', '6'],
      [`/deliveries/${delivery.id}/replay`, {}, '7', ''],
    ];
    for (const [path, body, ...expected] of rows) {
      const answer = await running.call('POST', path, body);
      const replayed = expected.join(' ').split(' ').filter(Boolean).length;
      expect([path, answer.body]).toEqual([path, { replayed, has_more: false }]);
      await running.relay.clock.advance(0);
      expect([path, body, ...arrived()]).toEqual([path, body, ...expected]);
    }
  });

  it('restarts the retry schedule, and continues to count attempts', async () => {
    const receiver = await startReceiver(Array(11).fill(500));
    const running = await start();
    await running.call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
    await running.deliver({ id: '1', type, data: {} });
    await running.relay.clock.advance(4 * 24 * 3_600_000);
    const [dead] = (await running.call('GET', '/deliveries?state=dead')).body.data;
    await running.call('POST', `/deliveries/${dead.id}/replay`);
    await running.relay.clock.advance(60_000);
    const [now] = (await running.call('GET', '/deliveries?state=delivered')).body.data;
    expect(now).toMatchObject({ id: dead.id, reason: null });
    expect(now.attempts).toHaveLength(12);
    expect(receiver.arrivals.at(-1)?.headers['x-relay-attempt']).toBe('12');
  });

  it('is refused after the subscription was deleted', async () => {
    const { running, ids } = await delivered();
    const [delivery] = (await running.call('GET', `/deliveries?subscription_id=${ids[0]}`)).body
      .data;
    await running.call('DELETE', `/subscriptions/${ids[0]}`);
    expect(await running.call('POST', `/deliveries/${delivery.id}/replay`)).toMatchObject({
      status: 409,
      body: {
        detail: 'The subscription was deleted, so its target gets no more deliveries.',
      },
    });
    expect((await running.call('POST', `/subscriptions/${ids[0]}/replay`)).status).toBe(404);
    const all = await running.call('POST', `/events/${delivery.event_id}/replay`);
    expect(all.body).toEqual({ replayed: 1, has_more: false });
  });

  it('that deadlocks with a sender runs after the sender', async () => {
    const { running, ids } = await delivered();
    const lock = (order: string) => `SELECT FROM delivery
      WHERE subscription_number = 1 ORDER BY event_id ${order} LIMIT 1 FOR UPDATE`;
    await onDatabase(running.databaseUrl, async (sender) => {
      // PostgreSQL cancels the one that looks for a deadlock first.
      await sender.query("SET deadlock_timeout = '1 h'");
      await sender.query('BEGIN');
      await sender.query(lock('DESC'));
      const replayed = running.call('POST', `/subscriptions/${ids[0]}/replay`);
      await oneWaitsFor(sender);
      await sender.query(lock('ASC'));
      await sender.query('COMMIT');
      expect(await replayed).toMatchObject({ status: 202, body: { replayed: 7 } });
    });
  });

  it('includes what a sender writes at that moment', async () => {
    const { running, ids } = await delivered();
    await onDatabase(running.databaseUrl, async (sender) => {
      await sender.query('BEGIN');
      await sender.query(
        'UPDATE delivery SET attempts_since_replay = attempts_since_replay + 1 WHERE subscription_number = 1',
      );
      const replayed = running.call('POST', `/subscriptions/${ids[0]}/replay`);
      await oneWaitsFor(sender);
      await sender.query('COMMIT');
      expect(await replayed).toMatchObject({ status: 202, body: { replayed: 7 } });
    });
  });

  it('of many deliveries replays a batch, and the rest in the background', async () => {
    const { running, ids, arrived } = await delivered();
    await onContext(running, async (context) => {
      const replayed = await replay(context, { source: 1, subscription: 1 }, 3);
      expect(replayed).toEqual({ replayed: 3, has_more: true });
    });
    expect(await jobs(running)).toEqual([{ batches: 1 }]);
    await running.relay.clock.advance(0);
    expect(await jobs(running)).toEqual([]);
    expect(arrived()).toEqual(['1 2 3 4 5 6 7', '']);
    const { body } = await running.call('POST', `/subscriptions/${ids[0]}/replay`);
    expect(body).toEqual({ replayed: 7, has_more: false });
  });

  it('says whether deliveries may be left after the first batch', async () => {
    const { running } = await delivered();
    await onContext(running, async (context) => {
      const what: Replay = { source: 1, subscription: 1 };
      expect(await replay(context, what, 7)).toEqual({ replayed: 7, has_more: true });
      const others: Replay = { source: 1, state: 'delivered' };
      expect(await replay(context, { ...what, ...others }, 3)).toEqual({
        replayed: 0,
        has_more: false,
      });
      expect(await replay(context, others, 8)).toEqual({ replayed: 7, has_more: false });
    });
  });

  it('takes turns with others, and stops after a batch when the process stops', async () => {
    const { running } = await delivered();
    await onContext(running, async (context) => {
      for (const subscription of [1, 2]) await replay(context, { source: 1, subscription }, 1);
      let left = 3;
      await runJobs(context, () => left-- === 0, 2);
      expect(await jobs(running)).toEqual([{ batches: 3 }, { batches: 2 }]);
      await runJobs(context, () => false, 2);
      expect(await jobs(running)).toEqual([]);
    });
    const { data } = (await running.call('GET', '/deliveries?state=pending')).body;
    expect(data).toHaveLength(14);
  });

  it('skips what belongs to a subscription that was switched off meanwhile', async () => {
    const { running, ids, arrived } = await delivered();
    await onContext(running, (context) => replay(context, { source: 1, subscription: 1 }, 3));
    await running.relay.subscriptions.off(ids[0] ?? '');
    await running.relay.clock.advance(0);
    expect(await jobs(running)).toEqual([]);
    expect(arrived()).toEqual(['', '']);
    const dead = (await running.call('GET', '/deliveries?state=dead')).body.data;
    expect(dead).toHaveLength(3);
  });
});
