import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { openPool, readDatabaseUrl } from '../../../packages/relay/src/base/database.ts';
import {
  explainFailure,
  unpooledAddressHint,
} from '../../../packages/relay/src/run/postgres/explain-failure.ts';

import { listen } from '../../shared/support/loopback.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { freshDatabase, onDatabase, secretKey } from '../support/running-relay.ts';

const failureOf = (databaseUrl: string) =>
  createRelay({ databaseUrl, secretKey }).then(
    () => 'started',
    ({ message }: Error) => message,
  );

const invalid =
  'DATABASE_URL is not a valid address. Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in USER and PASSWORD: @ as %40, / as %2F, # as %23, ? as %3F, % as %25.';
const start = 'DATABASE_URL must start with postgres:// or postgresql://';

describe('DATABASE_URL', () => {
  it.each([
    ['mysql://relay:hunter2@db/relay', `${start}.`],
    ['http://db/relay', `${start}.`],
    ['db:5432/relay', `${start}.`],
    ['relay:hunter2@db/relay', `${start}.`],
    ['postgres:relay:hunter2@db', `${start}.`],
    ['postgres://relay:hun/ter2@db/relay', invalid],
    ['postgres://relay:12/ter2@db/relay', invalid],
    ['postgres://relay:12?ter2@db/relay', invalid],
    ['postgres://relay:12#ter2@db/relay', invalid],
    ['postgres://relay:hun@ter/2@db/relay', invalid],
    ['postgres://relay:hunter2@db:port/relay', invalid],
  ])('%s is refused without a part of its password', async (url, message) => {
    expect(await failureOf(url)).toBe(message);
    expect(message).not.toMatch(/hun|ter2/);
  });

  it('may have any character in its password, percent-encoded', () => {
    const url = 'postgres://relay:pass%2Fword%40of%20relay@db/relay';
    expect(readDatabaseUrl(url)).toMatchObject({ password: 'pass/word@of relay', host: 'db' });
  });

  it('that leads to no PostgreSQL names its host and port', async () => {
    const closed = await listen(createServer());
    await closed.close();
    const silent = await listen(createServer((socket) => socket.destroy()));
    closeAfterTest(silent.close);
    for (const [at, place, code] of [
      [`127.0.0.1:${closed.port}/relay`, `127.0.0.1, port ${closed.port}`, ' (ECONNREFUSED)'],
      [`127.0.0.1:${silent.port}/relay`, `127.0.0.1, port ${silent.port}`, ''],
      ['/relay?host=/nowhere', '/nowhere', ' (ENOENT)'],
    ]) {
      expect(await failureOf(`postgres://relay:hunter2@${at}`)).toBe(
        `DATABASE_URL leads to ${place}, where no PostgreSQL responds${code}.`,
      );
    }
  });

  it('with a database, user or file that does not exist names it', async () => {
    const url = await freshDatabase();
    expect(await failureOf(url.replace(/test_\w+/, 'no_such'))).toBe(
      'DATABASE_URL names the database "no_such", which does not exist (3D000).',
    );
    expect(await failureOf(url.replace('//relay@', '//no%40one:hunter2@'))).toBe(
      'DATABASE_URL gives the user "no@one", whom PostgreSQL rejects: check name and password (28000).',
    );
  });

  it('with a file that does not exist names it', async () => {
    const url = 'postgres://relay:hunter2@db.invalid/relay?sslrootcert=/no/such';
    expect(await failureOf(url)).toBe(
      "DATABASE_URL names a file that cannot be read: ENOENT: no such file or directory, open '/no/such'.",
    );
  });

  it.each([
    [{ code: 'ENOTFOUND' }, 'names the host "db.internal", which has no address (ENOTFOUND).'],
    [
      { code: '42501', message: 'permission denied for schema public' },
      'gives the user "relay", who lacks a right: permission denied for schema public (42501).',
    ],
    [
      { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
      'has TLS settings that fail: certificate has expired (CERT_HAS_EXPIRED). Check sslmode.',
    ],
    [
      { code: '08P01', message: 'SSL required' },
      'leads to db.internal, port 5432, which accepts only TLS. Add sslmode=verify-full.',
    ],
    [
      { code: '28000', message: 'no pg_hba.conf entry for host "10.0.0.1", no encryption' },
      'leads to db.internal, port 5432, which accepts only TLS. Add sslmode=verify-full.',
    ],
    [
      { code: '53300', message: 'sorry, too many clients already' },
      'leads to db.internal, port 5432, which has no connection left for a process of the relay (53300).',
    ],
    [
      { message: 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string' },
      'gives the user "relay", whom PostgreSQL rejects: check name and password.',
    ],
  ])('explains %j', (error, message) => {
    const url = 'postgres://relay:hunter2@db.internal/relay';
    expect(explainFailure(Object.assign(new Error(), error), url)).toMatchObject({
      code: 'configuration',
      message: `DATABASE_URL ${message}`,
    });
  });
});

it.each([
  ['ep-cool-1-pooler.eu.example.com', 'Take the direct host, ep-cool-1.eu.example.com'],
  ['pooler.example.com:6543', 'Take port 5432 of the same host'],
  ['db.example.com:6432', 'Take the direct address of the database, or session mode'],
])('the address to take instead of a pooler in transaction mode: %s', (host, text) => {
  expect(unpooledAddressHint(`postgres://relay:hunter2@${host}/relay`)).toBe(text);
});

it('a connection that PostgreSQL closes fails its transaction, but not the process', async () => {
  const url = await freshDatabase();
  const { db } = openPool(url, () => undefined);
  try {
    const transaction = db.transaction().execute(async (open) => {
      const backend = () =>
        open
          .selectNoFrom((row) => row.fn<number>('pg_backend_pid', []).as('pid'))
          .executeTakeFirstOrThrow();
      const { pid } = await backend();
      await onDatabase(url, (client) =>
        client.query('SELECT pg_terminate_backend($1, 10000)', [pid]),
      );
      await backend();
    });
    await expect(transaction).rejects.toThrow(/terminat|not queryable/);
    await db.transaction().execute(async () => undefined);
  } finally {
    await db.destroy();
  }
});

it('an idle connection that PostgreSQL closes is reported, unless its pool is ending', async () => {
  const reported: unknown[] = [];
  const { pool } = openPool('postgres://localhost', (error) => reported.push(error));
  const error = new Error('terminating connection due to administrator command');
  pool.emit('error', error, undefined as never);
  await pool.end();
  pool.emit('error', error, undefined as never);
  expect(reported).toEqual([error]);
});
