import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { Client } from 'pg';
import { urlOf } from '../../support/server-url.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/wait.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');
const signingSecret = 'signing-secret-of-the-service';
const type = 'coupon.redeemed';

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

  it('in session mode stores on one process and delivers from another', async () => {
    const databaseUrl = await pooler({ pool_mode: 'session' });
    const arrived = new Set<string>();
    const receiver = createServer((request, response) => {
      arrived.add(String(request.headers['webhook-id']));
      response.end();
    });
    const target_url = `${await urlOf(receiver)}/`;
    const relays: Relay[] = [];
    const open = async (role: NonNullable<RelayOptions['role']>) => {
      const options = { databaseUrl, secretKey, role, allowTargets: ['127.0.0.1'] };
      const relay = await createRelay(options);
      relays.push(relay);
      return relay;
    };
    try {
      const ingress = await open('ingress');
      const sender = await open('sender');
      await ingress.sources.add('main', signingSecret);
      const { token } = await ingress.tokens.create('main', 'pooled');
      const { url } = await ingress.listen();
      await sender.listen();
      const subscribed = await fetch(`${url}/api/v1/subscriptions`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ target_url, events: [type] }),
      });
      assert.equal(subscribed.status, 201);
      for (let id = 0; id < 20; id += 1) {
        const body = JSON.stringify({ id: String(id), type, data: {} });
        const timestamp = Math.floor(Date.now() / 1000);
        const headers = {
          'x-service-signature': signWebhook({ body, secret: signingSecret, timestamp }),
        };
        const stored = await fetch(`${url}/in/main`, { method: 'POST', headers, body });
        assert.ok(stored.ok, String(stored.status));
      }
      const everything = { what: 'every event to arrive', withinMs: 60_000 };
      await waitFor(everything, () => arrived.size === 20);
      const rows = await ingress.backup(path.join(folder, 'pooled.gz'));
      assert.equal(rows.event, 20);
    } finally {
      await Promise.all(relays.map((relay) => relay.close()));
      receiver.close();
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
