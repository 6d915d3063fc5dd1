import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { Client } from 'pg';
import { freePort } from '../../support/free-port.ts';
import { type Server, startServer } from '../../support/launch.ts';
import { fromDebian, ordinaryAccount } from '../support/machine.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');
const signingSecret = 'signing-secret-of-the-service';

describe('a relay behind PgBouncer', () => {
  let folder: string;
  let postgres: Postgres;
  const poolers = new Set<PgBouncer>();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pgbouncer-'));
    chmodSync(folder, 0o755);
    postgres = await startPostgres(folder);
  });

  after(async () => {
    for (const { program } of poolers) await program.stop();
    await postgres?.program.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function pooler(settings: Readonly<Record<string, string | number>>): Promise<string> {
    const home = await mkdtemp(path.join(folder, 'pooler-'));
    const started = await startPgBouncer(home, postgres.port, settings);
    poolers.add(started);
    return `postgres://n8n:password@127.0.0.1:${started.port}/postgres`;
  }

  const failureOf = (databaseUrl: string) =>
    createRelay({ databaseUrl, secretKey }).then(
      async (relay) => {
        await relay.close();
        return 'started';
      },
      ({ message }: Error) => message,
    );

  it('in session mode starts, and stores an event', async () => {
    const relay = await createRelay({
      databaseUrl: await pooler({ pool_mode: 'session' }),
      secretKey,
    });
    try {
      await relay.sources.add('main', signingSecret);
      const { url } = await relay.listen();
      const body = JSON.stringify({ id: '1', type: 'coupon.redeemed', data: {} });
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'x-service-signature': signWebhook({ body, secret: signingSecret, timestamp }),
      };
      const stored = await fetch(`${url}/in/main`, { method: 'POST', headers, body });
      assert.ok(stored.ok, String(stored.status));
    } finally {
      await relay.close();
    }
  });

  const lost = (mode: string) =>
    `DATABASE_URL leads to a connection pooler in ${mode} mode, where LISTEN and session settings do not last. Take the direct address of the database, or session mode.`;

  for (const settings of [
    { pool_mode: 'transaction' },
    { pool_mode: 'transaction', default_pool_size: 1 },
    { pool_mode: 'statement' },
  ]) {
    it(`with ${JSON.stringify(settings)} does not start`, async () => {
      assert.equal(await failureOf(await pooler(settings)), lost(settings.pool_mode));
    });
  }

  it('in transaction mode does not start while others use the pooler', async () => {
    const connectionString = await pooler({ pool_mode: 'transaction' });
    const others = Array.from({ length: 10 }, () => new Client({ connectionString }));
    let isBusy = true;
    const busy = others.map(async (client) => {
      await client.connect();
      while (isBusy) await client.query('SELECT 1');
      await client.end();
    });
    const failures = [];
    for (let round = 0; round < 10; round += 1) failures.push(await failureOf(connectionString));
    isBusy = false;
    await Promise.all(busy);
    assert.deepEqual(new Set(failures), new Set([lost('transaction')]));
  });

  it('with too few connections does not start', async () => {
    assert.equal(
      await failureOf(await pooler({ pool_mode: 'session', default_pool_size: 1 })),
      'DATABASE_URL leads to a connection pooler that has too few connections left. A process of the relay needs 16.',
    );
  });
});

interface PgBouncer {
  readonly program: Server;
  readonly port: number;
}

type Settings = Readonly<Record<string, string | number>>;

/** Starts a pooler before the PostgreSQL at this port of 127.0.0.1. The folder holds its files. */
async function startPgBouncer(
  folder: string,
  postgresPort: number,
  settings: Settings,
): Promise<PgBouncer> {
  const command = await fromDebian('pgbouncer');
  const port = await freePort();
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, '"n8n" "password"\n');
  const all: Settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    default_pool_size: 40,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${postgresPort}\n[pgbouncer]\n${lines.join('')}`,
  );
  const log = path.join(folder, 'pgbouncer.log');
  const program = await startServer({
    name: 'PgBouncer',
    command,
    args: [file],
    // Like PostgreSQL, it does not run as root.
    user: ordinaryAccount(folder),
    log,
    ready: async () => /process up/.test(readFileSync(log, 'utf8')),
    readyWithinMs: 60_000,
    stopSignal: 'SIGINT',
  });
  return { program, port };
}
