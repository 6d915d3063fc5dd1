import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Migration } from 'kysely/migration';
import type { IDataObject } from 'n8n-workflow';
import publicApp from 'zapier-screen-advertising/public';
import { openPool } from '../../packages/relay/src/base/database.ts';
import { migrate, migrations } from '../../packages/relay/src/base/migrations.ts';
import { Engine } from '../n8n/engine.ts';
import { createPoller, type Poller } from '../n8n/poller.ts';
import { SimulatedTime } from '../n8n/simulated-time.ts';
import { freshDatabase, onDatabase, type Running, start } from '../relay/support/running-relay.ts';

import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { createZapierRunner, type ZapierRunner } from '../zapier/app/zapier.ts';
import { targetPort } from './service.ts';
import type { RecordedState } from './state.ts';

type Recorded = RecordedState['relay'];

const type = 'campaign.paid';
const targetUrl = (path: string) => `http://127.0.0.1:${targetPort}${path}`;

/** Accepts deliveries at the address of the recorded subscriptions, but for those that it fails. */
export async function openTarget(fails: readonly string[] = []) {
  const accepted: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivery = `${request.url} ${JSON.parse(Buffer.concat(chunks).toString()).id}`;
    const isFailed = fails.includes(delivery);
    if (!isFailed) accepted.push(delivery);
    response.writeHead(isFailed ? 500 : 200, { connection: 'close' }).end();
  });
  const close = () => new Promise((resolve) => server.close(resolve));
  closeAfterTest(close);
  const listens = () => {
    server.listen(targetPort, '127.0.0.1');
    return once(server, 'listening').then(
      () => true,
      () => false,
    );
  };
  await eventually(listens, `port ${targetPort} of this machine is free`);
  return { accepted, close };
}

export async function happens({ deliver, relay }: Running, id: string): Promise<void> {
  await deliver({ id, type, data: {} });
  await relay.clock.advance(1);
}

export function startEngine({ relay, url }: Running, connectorKey: string): Promise<Engine> {
  const screenAdvertisingRelayApi = { baseUrl: url, connectorKey };
  return Engine.start({ screenAdvertisingRelayApi }, new SimulatedTime(relay.clock));
}

export function relayPoller(engine: Engine, staticData: IDataObject = {}): Poller {
  const parameters = { authentication: 'relay', relayEvents: [type] };
  const node = { id: 'relay-poller', type: 'screenAdvertisingPollingTrigger', parameters };
  return createPoller(engine, node, { staticData });
}

export const zapTrigger = 'triggers.campaign_paid.operation';

export function zapOf({ url }: Running, connectorKey: string): ZapierRunner {
  return createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_abc' },
    app: publicApp,
    fields: { relay_base_url: url, connector_key: connectorKey },
  });
}

/** One subscription with a delivery that failed once, and one that is off with an event to come. */
export async function recordRelay(): Promise<Recorded> {
  const running = await start();
  const { relay, call, key, source, databaseUrl } = running;
  const { close } = await openTarget(['/on failed']);
  const other = await relay.tokens.create(source, 'other');
  const zap = await relay.tokens.create(source, 'zap');
  const subscribe = async (path: string, token: string) => {
    const wanted = { target_url: targetUrl(path), events: [type] };
    return (await call('PUT', '/subscriptions', wanted, token)).body.id as string;
  };
  await subscribe('/on', key.token);
  const off = await subscribe('/off', other.token);
  const poller = relayPoller(await startEngine(running, key.connectorKey));
  await poller.poll();
  await happens(running, 'delivered');
  await poller.poll();
  const target = targetUrl('/zap');
  const subscribeData = await zapOf(running, zap.connectorKey).run(
    `${zapTrigger}.performSubscribe`,
    {
      targetUrl: target,
    },
  );
  await relay.operate('subscriptions.change', { id: off, state: 'off' });
  await happens(running, 'failed');
  await relay.close();
  await close();
  const connectorKeys = [key, other, zap].map(({ connectorKey }) => connectorKey);
  const left = { connectorKeys, staticData: poller.staticData(), subscribeData };
  return { ...(await rowsOf(databaseUrl)), ...left };
}

const namesOfTables = `SELECT tablename AS name FROM pg_tables
  WHERE schemaname = current_schema() AND tablename NOT LIKE 'relay_migration%' ORDER BY 1`;
const sequences = `SELECT sequencename AS name, last_value AS value FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL`;

type Rows = Pick<Recorded, 'migrations' | 'tables' | 'sequences'>;

function rowsOf(databaseUrl: string): Promise<Rows> {
  return onDatabase(databaseUrl, async (client) => {
    const done = await client.query('SELECT name FROM relay_migration ORDER BY name');
    const tables: Record<string, string[]> = {};
    for (const { name } of (await client.query(namesOfTables)).rows) {
      const { rows } = await client.query(`SELECT to_json(one)::text AS row FROM ${name} AS one`);
      if (rows.length > 0) tables[name] = rows.map(({ row }) => row);
    }
    return {
      migrations: done.rows.map(({ name }) => name),
      tables,
      sequences: Object.fromEntries(
        (await client.query(sequences)).rows.map(({ name, value }) => [name, value]),
      ),
    };
  });
}

/** A relay of this version on the recorded tables, which it migrates. */
export async function startOnRecorded(recorded: Recorded): Promise<Running> {
  const databaseUrl = await freshDatabase();
  const { db } = openPool(databaseUrl, () => undefined);
  const known = Object.entries(migrations).filter(([name]) => recorded.migrations.includes(name));
  await migrate(db, Object.fromEntries(known));
  await db.destroy();
  await onDatabase(databaseUrl, async (client) => {
    // Rows refer to others, in whatever order the tables come.
    await client.query('SET session_replication_role = replica');
    for (const [name, rows] of Object.entries(recorded.tables)) {
      await client.query(
        `INSERT INTO ${name} OVERRIDING SYSTEM VALUE
          SELECT * FROM json_populate_recordset(NULL::${name}, $1)`,
        [`[${rows.join()}]`],
      );
    }
    for (const [name, value] of Object.entries(recorded.sequences))
      await client.query('SELECT setval($1, $2)', [name, value]);
  });
  return start({ databaseUrl });
}

/** As a process of a newer release does at its start. */
export async function migrateTo(databaseUrl: string, up: Migration['up']): Promise<void> {
  const { db } = openPool(databaseUrl, () => undefined);
  await migrate(db, { ...migrations, '9999-later': { up } });
  await db.destroy();
}

/** Whether a statement waits for the table of events. */
export function isWaiting(databaseUrl: string): Promise<boolean> {
  const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'event'::regclass`;
  return onDatabase(databaseUrl, async (client) => (await client.query(waits)).rowCount !== 0);
}
