import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { Client } from 'pg';
import { prepareCluster } from '../../../packages/relay/src/postgres/cluster.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';

let server: Promise<EmbeddedPostgres> | undefined;
const made: string[] = [];

// What is left behind would be written when the server stops, which took a minute.
afterAll(async () => {
  if (!server) return;
  const { connectionString, close } = await server;
  await onDatabase(connectionString, async (client) => {
    for (const name of made) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  await close();
});

/** An empty database on the PostgreSQL that all files of a run share: making one takes seconds. */
export async function freshDatabase(): Promise<string> {
  server ??= openServer();
  const { connectionString } = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  made.push(name);
  await onDatabase(connectionString, (client) => client.query(`CREATE DATABASE ${name}`));
  return connectionString.replace('/postgres?', `/${name}?`);
}

/** It waits for no disk: tests of what a power cut leaves have a server of their own. */
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
