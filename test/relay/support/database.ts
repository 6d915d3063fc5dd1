import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, DatabaseError } from 'pg';
import { connect } from '../../../packages/relay/src/base/database.ts';
import { migrate } from '../../../packages/relay/src/base/migrations.ts';
import { prepareCluster } from '../../../packages/relay/src/run/postgres/cluster.ts';
import { addressOf, joinServer } from '../../../packages/relay/src/run/postgres/embedded.ts';
import { closeAfterFile, closeAfterTest } from '../../support/closing.ts';
import { eventually } from '../../support/eventually.ts';

let server: Promise<Server> | undefined;
/** Of a test that has ended, but what it opened may still be closing. */
const left = new Set<string>();

interface Server {
  readonly address: string;
  readonly user: Client;
}

/** An empty database on the PostgreSQL that all files of a run share. */
export function freshDatabase(): Promise<string> {
  return createDatabase('template1');
}

const migrated = 'migrated';

/** The same with the relay's tables: copying them takes a tenth of the time of creating them. */
export function migratedDatabase(): Promise<string> {
  return createDatabase(migrated);
}

async function createDatabase(template: string): Promise<string> {
  server ??= openServer();
  const { address, user } = await server;
  await dropLeft(user);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  closeAfterTest(() => left.add(name));
  await user.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return addressIn(address, name);
}

/**
 * Not by force: what still closes its connections would throw. PostgreSQL waits for it, and what takes
 * longer is dropped later, or ends with the server.
 */
async function dropLeft(user: Client): Promise<void> {
  for (const name of left) {
    try {
      await user.query(`DROP DATABASE IF EXISTS ${name}`);
      left.delete(name);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === inUse)) throw error;
    }
  }
}

const inUse = '55006';

const addressIn = (address: string, name: string) => address.replace('/postgres?', `/${name}?`);

/**
 * Starting it takes seconds, so it runs until jest.end.ts stops it. Does not wait for the disk.
 */
async function openServer(): Promise<Server> {
  const cluster = await prepareCluster(path.join(tmpdir(), 'relay'));
  const hasty = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';
  await writeFile(path.join(cluster.data, 'postgresql.auto.conf'), hasty);
  const user = await joinServer(cluster);
  const address = addressOf(cluster);
  await prepareTemplate(address);
  closeAfterFile(async () => {
    await dropLeft(user);
    await user.end();
  });
  return { address, user };
}

/** One process creates the template; the others wait for it. */
async function prepareTemplate(address: string): Promise<void> {
  await onDatabase(address, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const found = 'SELECT FROM pg_database WHERE datname = $1';
    if ((await client.query(found, [migrated])).rowCount) return;
    await client.query('CREATE DATABASE unfinished');
    const { db } = connect(addressIn(address, 'unfinished'), () => undefined);
    await migrate(db);
    await db.destroy();
    await client.query(`ALTER DATABASE unfinished RENAME TO ${migrated}`);
  });
}

export async function onDatabase<Result>(
  connectionString: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Resolves once so many statements wait for a lock in the database. */
export async function waitForLocks(
  { databaseUrl }: { readonly databaseUrl: string },
  count: number,
): Promise<void> {
  const text = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await onDatabase(databaseUrl, (client) =>
    eventually(
      async () => (await client.query(text)).rowCount === count,
      `${count} statements wait`,
    ),
  );
}
