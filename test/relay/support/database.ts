import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';

let server: Promise<EmbeddedPostgres> | undefined;

afterAll(async () => {
  await (await server)?.close();
});

/** An empty database on the PostgreSQL that all files of a run share: making one takes seconds. */
export async function freshDatabase(): Promise<string> {
  server ??= openEmbeddedPostgres(path.join(tmpdir(), 'relay'));
  const { connectionString } = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onDatabase(connectionString, (client) => client.query(`CREATE DATABASE ${name}`));
  return connectionString.replace('/postgres?', `/${name}?`);
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
