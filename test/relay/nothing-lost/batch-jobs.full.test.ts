import { mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';
import { tier } from '../../support/tier.ts';
import { onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey } from '../support/running-relay.ts';
import { bodyOf, type } from './service.ts';
import { environment } from './setting.ts';
import { Subscriber } from './subscriber.ts';

const { events, kills } =
  tier === 'soak' ? { events: 20_000, kills: 20 } : { events: 3_000, kills: 3 };
const total = events * 5;
const pauseMs = 20;

const subscribers = Array.from({ length: 5 }, () => new Subscriber());
let postgres: EmbeddedPostgres;
let ids: readonly string[];

const query = async (text: string): Promise<Record<string, number>> =>
  onDatabase(postgres.connectionString, async (client) => (await client.query(text)).rows[0] ?? {});

/** As a command does it: a process that marks the work and ends. */
async function byCommand<Result>(work: (relay: Relay) => Promise<Result>): Promise<Result> {
  const databaseUrl = postgres.connectionString;
  const relay = await createRelay({ databaseUrl, secretKey, role: 'ingress' });
  try {
    return await work(relay);
  } finally {
    await relay.close();
  }
}

const counts = () =>
  query(`SELECT count(*) FILTER (WHERE state = 'pending')::integer AS pending,
      count(*) FILTER (WHERE state = 'delivered')::integer AS delivered,
      count(*) FILTER (WHERE state = 'dead')::integer AS dead,
      count(DISTINCT (event_id, subscription_number))::integer AS different,
      (SELECT count(*)::integer FROM event) AS events, (SELECT count(*)::integer FROM job) AS jobs
    FROM delivery`);

/** Kills the process whenever the next part of the work is done, until all of it is. */
async function killDuring(name: string, done: () => Promise<number>, all: number): Promise<void> {
  const relay = await RelayProcess.start({
    ...environment,
    DATABASE_URL: postgres.connectionString,
    RELAY_ROLE: 'sender',
    RELAY_RETENTION_DAYS: '30',
  });
  let killed = 0;
  try {
    for (let now = await done(); now < all; now = await done()) {
      if (killed < kills && now > (killed * all) / (kills + 1)) {
        await relay.kill();
        killed += 1;
      }
      await wait(pauseMs);
    }
    expect(relay.crashes).toEqual([]);
  } finally {
    await relay.stop();
  }
  writeSync(1, `\n${name}: killed ${killed} times: ${JSON.stringify(await counts())}\n`);
}

beforeAll(async () => {
  postgres = await openEmbeddedPostgres(mkdtempSync(path.join(tmpdir(), 'batch-jobs-')));
  const urls = await Promise.all(subscribers.map((subscriber) => subscriber.start()));
  await byCommand(async (relay) => {
    await relay.sources.add('main', 'a secret of the service');
    await relay.tokens.create('main', 'all');
  });
  await onDatabase(postgres.connectionString, async (client) => {
    await client.query(
      `INSERT INTO subscription (id, source_number, token_number, target_url, events, created_at)
      SELECT uuidv7(), 1, 1, url, ARRAY[$2], now() FROM unnest($1::text[]) AS url`,
      [urls, type],
    );
    await client.query('INSERT INTO lease (subscription_number) SELECT number FROM subscription');
    await client.query(
      `INSERT INTO event (source_number, id, key, type, body, received_at)
      SELECT 1, uuidv7(), 'id:' || nth, $1, convert_to(body, 'UTF8'), now()
      FROM unnest($2::text[]) WITH ORDINALITY AS one (body, nth)`,
      [type, Array.from({ length: events }, (_, number) => bodyOf(number))],
    );
    await client.query(
      `INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
      SELECT 1, event.id, subscription.number, now() FROM event, subscription`,
    );
  });
  const { data } = await byCommand(({ subscriptions }) => subscriptions.list());
  ids = data.map(({ id }) => id);
});

afterAll(async () => {
  await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
  await postgres.close();
});

describe(`${total} deliveries, while the process that works on them is killed ${kills} times`, () => {
  it('die when their subscriptions are switched off', async () => {
    await byCommand(async ({ subscriptions }) => {
      for (const id of ids) await subscriptions.off(id);
    });
    const dead = async () => (await counts()).dead ?? 0;
    await killDuring('Switched off', dead, total);
    expect(await counts()).toEqual({
      pending: 0,
      delivered: 0,
      dead: total,
      different: total,
      events,
      jobs: 0,
    });
    expect(subscribers.every(({ attempts }) => attempts.size === 0)).toBe(true);
  });

  it('arrive when they are replayed', async () => {
    await byCommand(async ({ subscriptions, deliveries }) => {
      for (const id of ids) {
        await subscriptions.on(id);
        const replayed = await deliveries.replay({ subscription_id: id, state: 'dead' });
        expect(replayed).toEqual({ replayed: 2_000, has_more: true });
      }
    });
    const replayed = async () => total - ((await counts()).dead ?? 0);
    await killDuring('Replayed', replayed, total);
    const delivered = async () => (await counts()).delivered ?? 0;
    await killDuring('Delivered', delivered, total);
    expect(await counts()).toEqual({
      pending: 0,
      delivered: total,
      dead: 0,
      different: total,
      events,
      jobs: 0,
    });
    expect(subscribers.map(({ accepted }) => accepted.size)).toEqual(ids.map(() => events));
  });

  it('are pruned with their events, except for what is younger', async () => {
    const young = 100;
    await onDatabase(postgres.connectionString, async (client) => {
      // Moves what is stored 40 days into the past, except for the youngest events.
      await client.query(`CREATE TEMPORARY TABLE old AS
        SELECT id, (lpad(to_hex((extract(epoch FROM now() - interval '40 days') * 1000)::bigint), 12, '0')
          || substr(replace(id::text, '-', ''), 13))::uuid AS moved
        FROM event ORDER BY id LIMIT ${events - young}`);
      await client.query('UPDATE event SET id = moved FROM old WHERE event.id = old.id');
      await client.query(
        'UPDATE delivery SET event_id = moved FROM old WHERE delivery.event_id = old.id',
      );
      await client.query(`UPDATE attempt SET event_id = moved, at = at - interval '40 days'
        FROM old WHERE attempt.event_id = old.id`);
    });
    const pruned = async () => events - ((await counts()).events ?? 0);
    await killDuring('Pruned', pruned, events - young);
    expect(await counts()).toMatchObject({ delivered: young * 5, different: young * 5, jobs: 0 });
    const { attempts } = await query(`SELECT count(*)::integer AS attempts FROM attempt
      WHERE event_id NOT IN (SELECT id FROM event)`);
    expect(attempts).toBe(0);
  });
});
