import { describe, expect, it } from '@jest/globals';
import { ScheduledClock } from '@screen-advertising/server-kit';
import type { Pool, PoolClient } from 'pg';
import type { RelayContext } from '../../../../packages/relay/src/context.ts';
import { connect } from '../../../../packages/relay/src/log/database/connect.ts';
import { operatorApp } from '../../../../packages/relay/src/operate/page/operator-app.ts';
import { onDatabase } from '../../support/database.ts';
import { start, startAt } from '../../support/running-relay.ts';
import { adminToken, listPaths } from './support.ts';

const many = 200_000;
/** Of 8 KiB. Reading all events, or all deliveries, takes several times as many. */
const maxBlocks = 1_200;

/**
 * Events, each delivered to a busy subscription. For a rare one, one in 20,000 is dead, and one
 * waits.
 */
const filling = `
INSERT INTO event (source_number, position, id, key, type, body, received_at)
SELECT 1, n, id, 'id:' || n, 'kind-' || n % 5, convert_to('{"id":"' || n || '","type":"' || repeat('x', 200) || '"}', 'UTF8'), now()
FROM numbered;
INSERT INTO delivery (source_number, position, subscription_number, state, attempts, attempts_since_replay, replays)
SELECT 1, n, 1, 'delivered', 1, 1, 0 FROM numbered;
INSERT INTO delivery (source_number, position, subscription_number, state, attempts, attempts_since_replay, replays, next_at)
SELECT 1, n, 2, CASE WHEN n % 20000 = 0 THEN 'dead' ELSE 'pending' END, 0, 0, 0, now()
FROM numbered WHERE n % 10000 = 0;
INSERT INTO attempt (source_number, position, subscription_number, number, at, status, duration_ms)
SELECT 1, n, 1, 1, now(), 200, 5 FROM numbered;
ANALYZE`.replaceAll(
  'numbered',
  `(SELECT n, (lpad(to_hex(1800000000000 + n), 12, '0') || repeat('7', 20))::uuid AS id
    FROM generate_series(1, ${many}) AS n) AS numbered`,
);

/** Records the queries of the pool from now on. */
function recordQueries(pool: Pool): { text: string; values: unknown[] }[] {
  const sent: { text: string; values: unknown[] }[] = [];
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client);
    client.query = ((text: unknown, values: unknown[], ...more: never[]) => {
      if (typeof text === 'string') sent.push({ text, values });
      return (query as (...args: unknown[]) => unknown)(text, values, ...more);
    }) as never;
  });
  return sent;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('with many events', () => {
  it('each page reads what it shows, and little more', async () => {
    const running = await start();
    const subscribe = async (name: string) =>
      (
        await running.call('PUT', '/subscriptions', {
          target_url: `https://hooks.example.com/${name}`,
          events: ['campaign.paid'],
          name,
        })
      ).body.id;
    const busy = await subscribe('busy');
    const rare = await subscribe('rare');
    await onDatabase(running.databaseUrl, (client) => client.query(filling));
    const database = connect(running.databaseUrl, () => undefined);
    const sent = recordQueries(database.pool);
    // The pages need no more of the context.
    const context = {
      ...database,
      clock: new ScheduledClock({ isFrozen: true, startAt: Date.parse(startAt) }),
    } as unknown as RelayContext;
    const app = operatorApp(context, { adminToken, publicUrl: undefined });
    const host = '127.0.0.1';
    const signIn = await app.request('http://127.0.0.1/operator/sign-in', {
      method: 'POST',
      headers: { host, origin: `http://${host}` },
      body: new URLSearchParams({ token: adminToken }),
    });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const get = async (path: string) => {
      const response = await app.request(`http://${host}${path}`, { headers: { host, cookie } });
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      return html;
    };
    const olderOf = (html: string) =>
      html.match(/<a href="([^"]*)">(?:Older|Later)<\/a>/)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const events = await get('/operator/events');
    const deliveries = await get('/operator/deliveries');
    const rareDeliveries = await get(`/operator/deliveries?subscription=${rare}`);
    expect(rareDeliveries.match(/<details id="dlv_/g)).toHaveLength(20);
    const busyDeliveries = await get(`/operator/deliveries?subscription=${busy}`);
    const paths = [
      ...listPaths,
      '/operator/events?type=kind-3',
      '/operator/events?source=main',
      olderOf(events),
      olderOf(deliveries),
      olderOf(busyDeliveries),
      `/operator/deliveries?subscription=${busy}`,
      `/operator/deliveries?subscription=${rare}`,
      `/operator/deliveries?subscription=${busy}&state=delivered`,
      '/operator/deliveries?state=delivered',
      '/?range=days',
      `/operator/deliveries?subscription=${rare}&state=pending`,
      `/operator/deliveries?state=dead&subscription=${rare}`,
      `/operator/subscriptions/${rare}`,
      `/operator/subscriptions/${busy}`,
      `/operator/events/${events.match(/evt_[0-9a-f]{32}/)?.[0]}`,
    ];
    for (const path of paths) {
      sent.length = 0;
      await get(path);
      const reads = sent.filter(({ text }) => /^\s*select/i.test(text));
      expect(reads.length).toBeGreaterThan(1);
      for (const { text, values } of reads) {
        const { rows } = await database.pool.query(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        );
        const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
        const scans = nodesOf(plan)
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => node['Relation Name'] ?? '')
          .filter((table) => ['event', 'delivery', 'attempt'].includes(table));
        expect([path, text, scans]).toEqual([path, text, []]);
        const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        expect([path, text, Math.max(blocks, maxBlocks)]).toEqual([path, text, maxBlocks]);
      }
    }
    await database.db.destroy();
  });
});
