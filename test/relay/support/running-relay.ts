import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signWebhook } from '@screen-advertising/core';
import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { Client } from 'pg';
import { openPool } from '../../../packages/relay/src/base/database.ts';
import { migrate } from '../../../packages/relay/src/base/migrations.ts';
import { prepareCluster } from '../../../packages/relay/src/run/postgres/cluster.ts';
import {
  connectOrStartServer,
  socketAddressOf,
} from '../../../packages/relay/src/run/postgres/embedded.ts';
import { closeAfterFile, closeAfterTest } from '../../support/closing.ts';

// Both have a form that the watch over secrets knows.
export const sourceSecret = 'the-service-signing-secret';
export const secretKey = Buffer.from('rly_the-secret-key-of-the-relays').toString('base64');
export const startAt = '2027-03-01T09:00:00.000Z';

/** A relay with a source and a token of it. */
export type Running = Awaited<ReturnType<typeof withToken>>;

interface DeliverOptions {
  readonly source?: string;
  readonly secret?: string;
  readonly signature?: string | null;
  readonly signedAt?: number;
}

/** With those that only tests set, side by side. */
export type Options = RelayOptions & RelayOptions['internal'];

/**
 * A relay on an empty database with a frozen clock, a source and a token. A running clock follows
 * the database's. Closes after the test, or after the file if it started before its tests.
 */
export async function start(options: Options = {}): Promise<Running> {
  const databaseUrl = options.databaseUrl ?? (await migratedDatabase());
  const frozen = { clock: 'frozen', startAt } as const;
  const relay = await createRelay({
    ...{ databaseUrl, secretKey, allowTargets: ['127.0.0.1'] },
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...options,
    internal: { random: () => 0, ...(options.clock !== 'running' && frozen), ...options },
  });
  closeAfterTest(() => relay.close());
  const sources = await relay.sources.list();
  if (sources.length === 0) await relay.sources.add('main', sourceSecret);
  const { url } = await relay.listen();
  return withToken(relay, url, databaseUrl, 'main');
}

/** The same relay with a source that nothing else uses, for a test that shares a relay with others. */
export async function ownSource({ relay, url, databaseUrl }: Running) {
  const name = `source-${randomUUID()}`;
  await relay.sources.add(name, sourceSecret);
  // The ingress reads the sources once a second.
  await relay.clock.advance(1_000);
  return withToken(relay, url, databaseUrl, name);
}

async function withToken(relay: Relay, url: string, databaseUrl: string, source: string) {
  const tokenName = `token-${randomUUID()}`;
  const key = await relay.tokens.create(source, tokenName);
  return {
    ...{ relay, url, databaseUrl, key, tokenName, source },
    /** A request to the API. Default: with the token of the source. */
    call: (method: string, path: string, body?: unknown, token = key.token) =>
      send(`${url}/api/v1${path}`, method, { authorization: `Bearer ${token}` }, body),
    query: (text: string, values?: unknown[]) =>
      onDatabase(databaseUrl, (client) => client.query(text, values)),
    /** Delivers an event to the relay like the service. */
    deliver: (event: unknown, options: DeliverOptions = {}) => {
      const signedAt = Math.floor(relay.clock.now() / 1000);
      return postEvent(url, event, { source, signedAt, ...options });
    },
  };
}

/** Delivers an event like the service. Default: to the source "main", on the real clock. */
export function postEvent(url: string, event: unknown, options: DeliverOptions = {}) {
  const { source = 'main', secret = sourceSecret, signature } = options;
  const { signedAt: timestamp = Math.floor(Date.now() / 1000) } = options;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const header = signature === undefined ? signWebhook({ body, secret, timestamp }) : signature;
  const headers: Record<string, string> = header === null ? {} : { 'x-service-signature': header };
  return send(`${url}/in/${source}`, 'POST', headers, body);
}

/** Subscribes a target, by default with the token of the source. Returns the ID. */
export async function subscribe(
  { call }: Running,
  target_url: string,
  { token, ...more }: { readonly token?: string; readonly [field: string]: unknown } = {},
): Promise<string> {
  const body = { target_url, events: ['campaign.paid'], ...more };
  return (await call('PUT', '/subscriptions', body, token)).body.id;
}

export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
) {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    // Of any shape, as the test expects it.
    body: text === '' ? undefined : JSON.parse(text),
  };
}

let server: ReturnType<typeof openServer> | undefined;
const migrated = 'migrated';

/** An empty database on the PostgreSQL that all files of a run share. */
export const freshDatabase = () => createDatabase('template1');

/** The same with the relay's tables: copying them takes a tenth of the time of creating them. */
export const migratedDatabase = () => createDatabase(migrated);

async function createDatabase(template: string): Promise<string> {
  server ??= openServer();
  const { address, user } = await server;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await user.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  // Not by force: what still closes its connections would throw. Then the end of the run deletes it.
  closeAfterFile(() => user.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined));
  return addressIn(address, name);
}

const addressIn = (address: string, name: string) => address.replace('/postgres?', `/${name}?`);

/** Starting it takes seconds, so it runs until jest.end.ts stops it. Does not wait for the disk. */
async function openServer() {
  const cluster = await prepareCluster(path.join(tmpdir(), 'relay'));
  const hasty = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';
  await writeFile(path.join(cluster.data, 'postgresql.auto.conf'), hasty);
  const user = await connectOrStartServer(cluster);
  const address = socketAddressOf(cluster);
  closeAfterFile(() => user.end());
  await onDatabase(address, async (client) => {
    // One process creates the template; the others wait for it.
    await client.query('SELECT pg_advisory_lock(1)');
    const found = 'SELECT FROM pg_database WHERE datname = $1';
    if ((await client.query(found, [migrated])).rowCount) return;
    await client.query('CREATE DATABASE unfinished');
    const { db } = openPool(addressIn(address, 'unfinished'), () => undefined);
    await migrate(db);
    await db.destroy();
    await client.query(`ALTER DATABASE unfinished RENAME TO ${migrated}`);
  });
  return { address, user };
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
