import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { Client } from 'pg';
import { prepareCluster } from '../../../packages/relay/src/postgres/cluster.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';

let server: Promise<EmbeddedPostgres> | undefined;
const made = new Set<string>();
/** Created for the current test. What is created for all tests of a file stays. */
const inUse = new Set<string>();
const used = new Set<string>();
let isInTest = false;
/** Closes what a whole file used, before its databases are dropped. */
export const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  isInTest = true;
});

afterEach(() => {
  isInTest = false;
  for (const name of inUse) used.add(name);
  inUse.clear();
});

// The server would write what is left when it stops, which took a minute.
afterAll(async () => {
  for (const close of closing) await close();
  if (!server) return;
  const { connectionString, close } = await server;
  await onDatabase(connectionString, async (client) => {
    for (const name of made) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  await close();
});

/**
 * An empty database on the PostgreSQL that all files of a run share. Creating a server takes
 * seconds, and creating a database takes ten times as long as emptying one that an earlier test has
 * used.
 */
export async function freshDatabase(): Promise<string> {
  server ??= openServer();
  const { connectionString } = await server;
  const address = (name: string) => connectionString.replace('/postgres?', `/${name}?`);
  for (const name of used) {
    used.delete(name);
    if (!(await emptied(address(name)))) continue;
    if (isInTest) inUse.add(name);
    return address(name);
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onDatabase(connectionString, (client) => client.query(`CREATE DATABASE ${name}`));
  made.add(name);
  if (isInTest) inUse.add(name);
  return address(name);
}

/** False if a test has dropped the database, or left a transaction open. */
async function emptied(connectionString: string): Promise<boolean> {
  try {
    await onDatabase(connectionString, (client) =>
      client.query(`
        SET lock_timeout = '10s';
        DROP SCHEMA public CASCADE;
        CREATE SCHEMA public`),
    );
    return true;
  } catch {
    return false;
  }
}

/** Does not wait for the disk: tests of power cuts have a separate server. */
async function openServer(): Promise<EmbeddedPostgres> {
  const folder = path.join(tmpdir(), 'relay');
  const { data } = await prepareCluster(folder);
  const hasty = ['fsync', 'synchronous_commit', 'full_page_writes'].map(
    (name) => `${name} = off\n`,
  );
  await writeFile(path.join(data, 'postgresql.auto.conf'), hasty.join(''));
  return openEmbeddedPostgres(folder);
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
