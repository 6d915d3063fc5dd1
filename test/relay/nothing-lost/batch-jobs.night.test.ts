import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Backlog, events, kills, total } from './backlog.ts';

let backlog: Backlog;

beforeAll(async () => {
  backlog = await Backlog.open();
  await backlog.query(
    `INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
    SELECT 1, event.id, subscription.number, now() FROM event, subscription`,
  );
});

afterAll(() => backlog.close());

describe(`${total} deliveries, while the process that works on them is killed ${kills} times`, () => {
  it('die when their subscriptions are switched off', async () => {
    await backlog.byCommand(async ({ subscriptions }) => {
      for (const id of backlog.ids) await subscriptions.off(id);
    });
    const dead = async () => (await backlog.counts()).dead ?? 0;
    await backlog.killDuring('Switched off', { done: dead, all: total });
    expect(await backlog.counts()).toEqual({
      pending: 0,
      delivered: 0,
      dead: total,
      different: total,
      events,
      jobs: 0,
    });
    expect(backlog.subscribers.every(({ attempts }) => attempts.size === 0)).toBe(true);
  });

  it('arrive when they are replayed', async () => {
    await backlog.byCommand(async ({ subscriptions, deliveries }) => {
      for (const id of backlog.ids) {
        await subscriptions.on(id);
        const replayed = await deliveries.replay({ subscription_id: id, state: 'dead' });
        expect(replayed).toEqual({ replayed: 2_000, has_more: true });
      }
    });
    const replayed = async () => total - ((await backlog.counts()).dead ?? 0);
    await backlog.killDuring('Replayed', { done: replayed, all: total });
    const delivered = async () => (await backlog.counts()).delivered ?? 0;
    await backlog.killDuring('Delivered', { done: delivered, all: total });
    expect(await backlog.counts()).toEqual({
      pending: 0,
      delivered: total,
      dead: 0,
      different: total,
      events,
      jobs: 0,
    });
    expect(backlog.subscribers.map(({ accepted }) => accepted.size)).toEqual(
      backlog.ids.map(() => events),
    );
  });

  it('are pruned with their events, except for what is younger', async () => {
    const young = 100;
    // Moves what is stored 40 days into the past, except for the youngest events.
    await backlog.query(`CREATE TABLE old AS
      SELECT id, (lpad(to_hex((extract(epoch FROM now() - interval '40 days') * 1000)::bigint), 12, '0')
        || substr(replace(id::text, '-', ''), 13))::uuid AS moved
      FROM event ORDER BY id LIMIT ${events - young}`);
    await backlog.query('UPDATE event SET id = moved FROM old WHERE event.id = old.id');
    await backlog.query(
      'UPDATE delivery SET event_id = moved FROM old WHERE delivery.event_id = old.id',
    );
    await backlog.query(`UPDATE attempt SET event_id = moved, at = at - interval '40 days'
      FROM old WHERE attempt.event_id = old.id`);
    const pruned = async () => events - ((await backlog.counts()).events ?? 0);
    await backlog.killDuring('Pruned', { done: pruned, all: events - young });
    expect(await backlog.counts()).toMatchObject({
      delivered: young * 5,
      different: young * 5,
      jobs: 0,
    });
    const { attempts } = await backlog.query(`SELECT count(*)::integer AS attempts FROM attempt
      WHERE event_id NOT IN (SELECT id FROM event)`);
    expect(attempts).toBe(0);
  });
});
