import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { openPool } from '../../../packages/relay/src/base/database.ts';
import { migrate, migrations } from '../../../packages/relay/src/base/migrations.ts';
import type { Tables } from '../../../packages/relay/src/base/tables.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { freshDatabase, onDatabase, type Running, start } from '../support/running-relay.ts';

const type = 'campaign.paid';

/** A migration that a later release may contain. */
const later: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE event ADD COLUMN region text`.execute(db);
    await sql`ALTER TABLE subscription ADD COLUMN weight integer NOT NULL DEFAULT 1`.execute(db);
    await sql`CREATE TABLE region (name text PRIMARY KEY)`.execute(db);
  },
};

async function onRelease<Result>(
  databaseUrl: string,
  use: (db: ReturnType<typeof openPool>['db']) => Promise<Result>,
): Promise<Result> {
  const { db } = openPool(databaseUrl, () => undefined);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

const upgrade = (databaseUrl: string) =>
  onRelease(databaseUrl, (db) => migrate(db, { ...migrations, '9999-later': later }));

async function delivers({ relay, call, deliver }: Running, id: string): Promise<void> {
  const receiver = await startReceiver();
  await call('PUT', '/subscriptions', { target_url: receiver.url, events: [type] });
  expect((await deliver({ id, type })).status).toBe(202);
  await relay.clock.advance(0);
  expect(receiver.arrivals).toHaveLength(1);
}

/** What is sent to an empty database. */
async function statementsOf(use: (db: Kysely<Tables>) => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const { pool, db } = openPool(await freshDatabase(), () => undefined);
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query.sql),
  });
  await use(watched).finally(() => db.destroy());
  return statements;
}

describe('a migration', () => {
  it('runs while an older release works, and lets it continue', async () => {
    const older = await start();
    await delivers(older, '1');
    await upgrade(older.databaseUrl);
    await delivers(older, '2');
  });

  it('of a newer release does not keep an older one from starting', async () => {
    const databaseUrl = await freshDatabase();
    await upgrade(databaseUrl);
    await delivers(await start({ databaseUrl }), '1');
    // The newer release finds its migration done.
    await upgrade(databaseUrl);
  });

  it('runs once, however many processes start at once', async () => {
    const databaseUrl = await freshDatabase();
    const started = [1, 2, 3].map(() => start({ databaseUrl }));
    await Promise.all(Array.from({ length: 8 }, () => upgrade(databaseUrl)));
    for (const [nth, running] of (await Promise.all(started)).entries()) {
      await delivers(running, String(nth));
    }
    const names = await onRelease(databaseUrl, async (db) => {
      const { rows } = await sql<{ name: string }>`SELECT name FROM relay_migration`.execute(db);
      return rows.map(({ name }) => name);
    });
    expect(names.sort()).toEqual(['0001-tables', '0002-last-use', '9999-later']);
  });

  it('runs again when it and a working process wait for each other', async () => {
    const { databaseUrl } = await start();
    await onDatabase(databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE subscription IN ROW EXCLUSIVE MODE');
      const upgraded = upgrade(databaseUrl);
      upgraded.catch(() => undefined);
      const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'subscription'::regclass`;
      await eventually(
        async () => (await client.query(waits)).rowCount === 1,
        'the migration has changed one table, and waits for the other',
      );
      // PostgreSQL ends one of them.
      await client.query('LOCK TABLE event IN ROW EXCLUSIVE MODE').catch(() => undefined);
      await client.query('ROLLBACK');
      await upgraded;
    });
  });

  it('that fails changes nothing', async () => {
    const databaseUrl = await freshDatabase();
    const broken: Migration = {
      async up(db: Kysely<unknown>) {
        await later.up(db);
        await sql`SELECT nonsense`.execute(db);
      },
    };
    const running = await start({ databaseUrl });
    await expect(
      onRelease(databaseUrl, (db) => migrate(db, { ...migrations, '9999-later': broken })),
    ).rejects.toThrow('column "nonsense" does not exist');
    await delivers(running, '1');
    await upgrade(databaseUrl);
  });

  /** A database that has run one does not run it again, so a change needs another migration. */
  const published: Readonly<Record<string, string>> = {
    '0001-tables': 'e1f772950f6fe450a94dfd781ae8d38e7ddc7ba579203e8859295954c6e16b16',
    '0002-last-use': '071a958413d5cfefc2cffbe667157689a575099b5ca39929fb36a3a40dcaf73d',
  };

  it('stays as it is, and has its digest here', async () => {
    const digests: Record<string, string> = {};
    let before = 0;
    for (const name of Object.keys(migrations)) {
      // Each needs the tables of those before it.
      const all = Object.values(migrations).slice(0, Object.keys(digests).length + 1);
      const statements = await statementsOf(async (db) => {
        for (const { up } of all) await up(db);
      });
      const text = statements.slice(before).join(';').replaceAll(/\s+/g, ' ');
      before = statements.length;
      digests[name] = createHash('sha256').update(text).digest('hex');
    }
    expect(digests).toEqual(published);
  });

  /** Each would break the processes of the previous release. */
  const forbidden =
    /\b(?:DROP|RENAME|TRUNCATE|ALTER COLUMN|SET NOT NULL|ADD CONSTRAINT)\b|ADD COLUMN(?:(?!DEFAULT)[^,])*NOT NULL(?!.*DEFAULT)/i;

  it('only adds', async () => {
    const statements = await statementsOf(migrate);
    expect(statements.filter((text) => text.includes('CREATE TABLE')).length).toBeGreaterThan(5);
    expect(statements.filter((text) => forbidden.test(text))).toEqual([]);
  });
});
