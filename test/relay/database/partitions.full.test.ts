import { describe, expect, it } from '@jest/globals';
import { leastUuidAt } from '../../../packages/relay/src/database/uuid.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { oneWaitsFor } from '../support/one-waits-for.ts';
import { type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const day = 24 * 3_600_000;

/** The bounds of the partitions of a table, as moments. */
const partitionsOf = ({ databaseUrl }: Pick<Running, 'databaseUrl'>, table = 'event') =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent = $1::regclass AND relname NOT LIKE '%default' ORDER BY relname`,
      [table],
    );
    return rows.map(({ bounds }) =>
      [...bounds.matchAll(/'([^']+)'/g)].map(([, id]) =>
        new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
          .toISOString()
          .slice(0, 13),
      ),
    );
  });

const rowsIn = ({ databaseUrl }: Running, table: string) =>
  onDatabase(databaseUrl, async (client) => (await client.query(`SELECT FROM ${table}`)).rowCount);

describe('a relay', () => {
  it('has partitions for today and tomorrow before it takes events', async () => {
    const running = await start();
    const days = [
      ['2027-03-01T00', '2027-03-02T00'],
      ['2027-03-02T00', '2027-03-03T00'],
    ];
    for (const table of ['event', 'delivery_delivered', 'attempt']) {
      expect(await partitionsOf(running, table)).toEqual(days);
    }
    await running.deliver({ id: '1', type });
    expect(await rowsIn(running, 'event_20270301')).toBe(1);
  });

  it('adds those of later days in time', async () => {
    const running = await start();
    for (let nth = 0; nth < 3; nth += 1) await running.relay.clock.advance(day);
    await running.deliver({ id: '1', type });
    expect(await rowsIn(running, 'event_20270304')).toBe(1);
  });

  it('has fewer, wider ones if events stay for months', async () => {
    expect(await partitionsOf(await start({ retentionDays: 365 }))).toEqual([
      ['2027-03-01T00', '2027-03-14T00'],
    ]);
  });

  it('fills the gap before one that a wrong clock added', async () => {
    const databaseUrl = await freshDatabase();
    await start({ databaseUrl, startAt: '2027-03-02T12:00:00Z' });
    await start({ databaseUrl, retentionDays: 365 });
    expect(await partitionsOf({ databaseUrl })).toEqual([
      ['2027-03-01T00', '2027-03-02T00'],
      ['2027-03-02T00', '2027-03-03T00'],
      ['2027-03-03T00', '2027-03-04T00'],
    ]);
  });

  it('stores events of a day that has none, and leaves that day as it is', async () => {
    const running = await start();
    await running.relay.clock.advance(20 * day);
    await running.deliver({ id: '1', type });
    await running.relay.clock.advance(1);
    expect(await rowsIn(running, 'event_default')).toBe(1);
    expect((await partitionsOf(running)).map(([from]) => from)).toEqual([
      '2027-03-01T00',
      '2027-03-02T00',
      '2027-03-22T00',
    ]);
    expect((await running.call('GET', '/events')).body.data).toHaveLength(1);
  });

  it('stores an event whose partition is added at that moment', async () => {
    const running = await start();
    await running.relay.clock.advance(20 * day);
    const [from, to] = [20, 21].map((days) => leastUuidAt(Date.parse('2027-03-01') + days * day));
    const delivered = await onDatabase(running.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query(
        `CREATE TABLE event_20270321 (LIKE event INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
        ALTER TABLE event ATTACH PARTITION event_20270321 FOR VALUES FROM ('${from}') TO ('${to}')`,
      );
      const delivering = running.deliver({ id: '1', type });
      await oneWaitsFor(client);
      await client.query('COMMIT');
      return delivering;
    });
    expect([delivered.status, delivered.body]).toEqual([202, { stored: true }]);
    expect(await rowsIn(running, 'event_20270321')).toBe(1);
  });

  it('adds each once, although two processes start', async () => {
    const databaseUrl = await freshDatabase();
    await start({ databaseUrl });
    for (const { tablename } of await onDatabase(databaseUrl, async (client) => {
      const text = "SELECT tablename FROM pg_tables WHERE tablename ~ '_2027030[12]$'";
      return (await client.query(text)).rows;
    })) {
      await onDatabase(databaseUrl, (client) => client.query(`DROP TABLE ${tablename}`));
    }
    const errors: unknown[] = [];
    const options = { databaseUrl, onError: (error: unknown) => errors.push(error) };
    await Promise.all([start(options), start(options), start(options), start(options)]);
    expect(await partitionsOf({ databaseUrl })).toHaveLength(2);
    expect(errors).toEqual([]);
  });
});
