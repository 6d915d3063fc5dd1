import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { node, startProgram } from '../../support/program.ts';
import { deliver } from '../postgres/deliver.ts';
import { freshDatabase, onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, send } from '../support/running-relay.ts';

const secret = 'signing-secret-of-the-service';
const type = 'campaign.paid';
const upgrade = path.resolve(__dirname, '../support/upgrade-program.ts');

const migrationsIn = (databaseUrl: string) =>
  onDatabase(databaseUrl, async (client) => {
    const query =
      'SELECT name, count(*)::integer AS times FROM relay_migration GROUP BY name ORDER BY name';
    return (await client.query(query)).rows;
  });

const startWith = (databaseUrl: string, role: string) =>
  RelayProcess.start({
    DATABASE_URL: databaseUrl,
    RELAY_SECRET_KEY: secretKey,
    RELAY_ROLE: role,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
  });

/** Starts processes of a later release that all wait for their turn, then lets them run. */
async function upgradeAtOnce(databaseUrl: string, count: number, meanwhile: () => Promise<void>) {
  return onDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE relay_migration IN ACCESS EXCLUSIVE MODE');
    const processes = Array.from({ length: count }, () =>
      startProgram(node, ['--conditions=source', '--no-warnings', upgrade], {
        env: { DATABASE_URL: databaseUrl },
      }),
    );
    const waiting = `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await eventually(async () => (await client.query(waiting)).rowCount === count);
    await meanwhile();
    await client.query('COMMIT');
    return Promise.all(processes.map(({ ended }) => ended));
  });
}

describe('two processes that start at once', () => {
  it('on an empty database migrate it once, and both serve', async () => {
    const databaseUrl = await freshDatabase();
    const started = await Promise.allSettled([
      startWith(databaseUrl, 'ingress'),
      startWith(databaseUrl, 'sender'),
    ]);
    const processes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    try {
      expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(processes.flatMap(({ crashes }) => crashes)).toEqual([]);
      expect(await migrationsIn(databaseUrl)).toEqual([{ name: '0001-tables', times: 1 }]);
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
    }
  });

  it('as a later release upgrade the database once, while one of this release serves', async () => {
    const databaseUrl = await freshDatabase();
    const receiver = await startReceiver();
    const admin = await createRelay({ databaseUrl, secretKey, role: 'ingress' });
    await admin.sources.add('main', secret);
    const { token } = await admin.tokens.create('main', 'all');
    await admin.close();
    const relay = await startWith(databaseUrl, 'all');
    try {
      const headers = { authorization: `Bearer ${token}` };
      const body = { target_url: receiver.url, events: [type] };
      await send(`${relay.url}/api/v1/subscriptions`, 'PUT', headers, body);
      const arrives = async (id: string) => {
        expect(await deliver(relay.url, secret, { id, type, data: {} })).toBe(202);
        await eventually(() => receiver.arrivals.some(({ body }) => JSON.parse(body).id === id));
      };
      const ended = await upgradeAtOnce(databaseUrl, 2, () => arrives('during'));
      expect(ended.map(({ code, errors }) => [code, errors])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      expect(await migrationsIn(databaseUrl)).toEqual([
        { name: '0001-tables', times: 1 },
        { name: '9999-later', times: 1 },
      ]);
      await arrives('after');
      await relay.kill();
      await relay.ready();
      await arrives('after a restart');
      expect(relay.crashes).toEqual([]);
    } finally {
      await relay.stop();
    }
  });
});
