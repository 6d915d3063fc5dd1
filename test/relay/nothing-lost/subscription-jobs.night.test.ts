import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { node, startProgram } from '../../support/program.ts';
import { main } from '../support/relay-process.ts';
import { Backlog, events, kills, total } from './backlog.ts';
import { type } from './service.ts';
import { until } from './setting.ts';

let backlog: Backlog;

beforeAll(async () => {
  backlog = await Backlog.open();
});

afterAll(() => backlog.close());

/** A moment in the middle of the stored events, as ISO 8601. */
async function momentAt(share: number): Promise<string> {
  const { at } = await backlog.query(
    'SELECT extract(epoch FROM received_at)::float8 * 1000 AS at FROM event ORDER BY id OFFSET $1 LIMIT 1',
    [Math.round(events * share)],
  );
  return new Date(at ?? Number.NaN).toISOString();
}

const count = async (condition: string): Promise<number> =>
  (await backlog.query(`SELECT count(*)::integer AS rows FROM delivery WHERE ${condition}`)).rows ??
  0;

/** Every delivery waits for its next attempt until tomorrow. */
const postpone = () =>
  backlog.query("UPDATE delivery SET state = 'pending', next_at = now() + interval '1 day'");

const received = () => backlog.subscribers.map(({ accepted }) => accepted.size);
const everyEvent = [events, events, events, events, events];
const nothingLeft = { pending: 0, dead: 0, delivered: total, different: total, events, jobs: 0 };

describe(`${total} deliveries, while the process that works on them is killed ${kills} times`, () => {
  it('are added once each when missing events are replayed', async () => {
    await backlog.killDuring('Missing events replayed', {
      ask: async (relay) => {
        const since = await momentAt(0);
        for (const id of backlog.ids) {
          await backlog.call(relay, 'POST', `/${id}/replay-missing`, { since });
        }
      },
      done: async () => (await count('true')) + (await count("state = 'delivered'")),
      all: 2 * total,
    });
    expect(await backlog.counts()).toEqual(nothingLeft);
    expect(received()).toEqual(everyEvent);
    expect(await count('attempts <> 1')).toBe(0);
  });

  it('arrive again if they are in the range of a replay', async () => {
    const [from, to] = [await momentAt(0.25), await momentAt(0.75)];
    const inRange = total / 2;
    await backlog.killDuring('Range replayed', {
      ask: async (relay) => {
        for (const id of backlog.ids) {
          await backlog.call(relay, 'POST', `/${id}/replay`, { from, to });
        }
      },
      done: async () =>
        (await count("attempts > 1 OR state = 'pending'")) + (await count('attempts > 1')),
      all: 2 * inRange,
    });
    expect(await backlog.counts()).toEqual(nothingLeft);
    expect([await count('attempts = 1'), await count('attempts = 2')]).toEqual([
      total - inRange,
      inRange,
    ]);
  });

  it('arrive before their time when they are retried', async () => {
    await postpone();
    const before = (await backlog.query('SELECT sum(attempts)::integer AS sum FROM delivery')).sum;
    await backlog.killDuring('Retried', {
      ask: async (relay) => {
        for (const id of backlog.ids) await backlog.call(relay, 'POST', `/${id}/retry`);
      },
      done: async () =>
        (await count("next_at IS NULL OR next_at < now() + interval '1 hour'")) +
        (await count("state = 'delivered'")),
      all: 2 * total,
    });
    expect(await backlog.counts()).toEqual(nothingLeft);
    const after = (await backlog.query('SELECT sum(attempts)::integer AS sum FROM delivery')).sum;
    expect(after).toBe((before ?? 0) + total);
  });

  it('die with deleted subscriptions, and arrive by those that replace them', async () => {
    await postpone();
    for (const { accepted } of backlog.subscribers) accepted.clear();
    const ofNew = 'subscription_number > 5';
    await backlog.killDuring('Deleted and taken over', {
      ask: async (relay) => {
        for (const id of backlog.ids) await backlog.call(relay, 'DELETE', `/${id}`);
        for (const [nth, url] of backlog.urls.entries()) {
          await backlog.call(relay, 'PUT', '', {
            target_url: `${url}/new`,
            events: [type],
            replaces: backlog.ids[nth],
          });
        }
      },
      done: async () =>
        (await count(`${ofNew} OR state = 'dead'`)) +
        (await count(`${ofNew} AND state = 'delivered'`)),
      all: 3 * total,
    });
    expect(await backlog.counts()).toEqual({
      pending: 0,
      dead: total,
      delivered: total,
      different: 2 * total,
      events,
      jobs: 0,
    });
    expect(await count(`${ofNew} AND state <> 'delivered'`)).toBe(0);
    expect(await count("state = 'dead' AND reason <> 'subscription_off: deleted'")).toBe(0);
    expect(received()).toEqual(everyEvent);
  });
});

describe(`${events} subscriptions of a token`, () => {
  it(`end when it is revoked, although its process and then others are killed`, async () => {
    await backlog.byCommand(({ tokens }) => tokens.create('main', 'many'));
    const [url] = backlog.urls;
    await backlog.query(
      `INSERT INTO subscription (id, source_number, token_number, target_url, events, created_at)
      SELECT uuidv7(), 1, token.number, $1::text || '/' || nth, ARRAY[$2], now()
      FROM token, generate_series(1, $3::integer) AS nth WHERE token.name = 'many'`,
      [url, type, events],
    );
    const ofToken = `subscription_number IN (
      SELECT number FROM subscription WHERE token_number = (SELECT max(number) FROM token))`;
    await backlog.query(
      `INSERT INTO lease (subscription_number)
      SELECT number FROM subscription ON CONFLICT DO NOTHING`,
    );
    await backlog.query(
      `INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
      SELECT 1, (SELECT id FROM event LIMIT 1), subscription.number, now() + interval '1 day'
      FROM subscription WHERE token_number = (SELECT max(number) FROM token)`,
    );
    const revoking = startProgram(
      node,
      ['--conditions=source', '--no-warnings', main, 'tokens', 'revoke', 'main', 'many'],
      { env: backlog.environment },
    );
    await until(async () => {
      const { revoked } = await backlog.query(
        'SELECT count(revoked_at)::integer AS revoked FROM token',
      );
      return revoked === 1;
    });
    revoking.kill();
    await revoking.ended;
    const ended = () => backlog.subscribers[0]?.ended.size ?? 0;
    await backlog.killDuring('Token revoked', {
      done: async () => (await count(`${ofToken} AND state = 'dead'`)) + ended(),
      all: 2 * events,
    });
    const reason = 'subscription_off: token_revoked';
    expect(await count(`${ofToken} AND state = 'dead' AND reason = '${reason}'`)).toBe(events);
    const { off, kept } = await backlog.query(`SELECT
        count(*) FILTER (WHERE off_reason = 'token_revoked')::integer AS off,
        count(*) FILTER (WHERE state = 'active')::integer AS kept
      FROM subscription WHERE deleted_at IS NULL`);
    expect([off, kept]).toEqual([events, 5]);
  });
});
