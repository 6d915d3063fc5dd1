import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay, type RelayError } from '@screen-advertising/relay';
import { prepareCluster } from '../../../packages/relay/src/run/postgres/cluster.ts';
import { freePort } from '../../support/free-port.ts';
import { type Pair, pair } from '../support/certificate.ts';
import { freshDatabase, onDatabase, secretKey } from '../support/running-relay.ts';

const password = 'pass/word@of relay';

interface TlsPostgres {
  readonly port: number;
  close(): Promise<void>;
}

const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
const ca = path.join(folder, 'ca.pem');
const otherCa = path.join(folder, 'other.pem');
let server: TlsPostgres;

beforeAll(async () => {
  const authority = await pair(['authority.example'], { isAuthority: true });
  const other = await pair(['other.example'], { isAuthority: true });
  writeFileSync(ca, authority.cert);
  writeFileSync(otherCa, other.cert);
  server = await startTlsPostgres(await pair(['localhost'], { ca: authority }));
});
afterAll(async () => {
  await server.close();
});

const urlFor = (parameters: string, { host = 'localhost' } = {}) =>
  `postgres://relay:${encodeURIComponent(password)}@${host}:${server.port}/postgres?${parameters}`;

/** Starts a relay, whose ingress, reading and listening connections all work, and ends it. */
async function start(databaseUrl: string): Promise<string> {
  try {
    const relay = await createRelay({ databaseUrl, secretKey });
    try {
      const { url } = await relay.listen();
      const ready = await fetch(`${url}/readyz`);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return `${ready.status}, ${/^relay_database_up \d$/m.exec(metrics)?.[0]}`;
    } finally {
      await relay.close();
    }
  } catch (error) {
    if ((error as RelayError).code !== 'configuration') throw error;
    return (error as RelayError).message;
  }
}

const works = '200, relay_database_up 1';

describe('DATABASE_URL of a PostgreSQL with TLS', () => {
  it.each([
    ['sslmode=require', {}],
    ['sslmode=require&sslrootcert=CA', { host: '127.0.0.1' }],
    ['sslmode=verify-ca&sslrootcert=CA', { host: '127.0.0.1' }],
    ['sslmode=verify-full&sslrootcert=CA', {}],
  ])('works with %s %j', async (parameters, at) => {
    expect(await start(urlFor(parameters.replace('CA', ca), at))).toBe(works);
  });

  const unsigned = (host: string) =>
    `DATABASE_URL leads to ${host}, port PORT, whose certificate no known authority signed (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Add sslrootcert=FILE with your provider's certificate authority.`;

  it.each([
    [
      '',
      {},
      'DATABASE_URL leads to localhost, port PORT, which accepts only TLS. Add sslmode=verify-full.',
    ],
    ['sslmode=verify-full', {}, unsigned('localhost')],
    ['sslmode=verify-full&sslrootcert=OTHER', {}, unsigned('localhost')],
    [
      'sslmode=verify-full&sslrootcert=CA',
      { host: '127.0.0.1' },
      'DATABASE_URL names the host "127.0.0.1", but the certificate there is for another (ERR_TLS_CERT_ALTNAME_INVALID).',
    ],
  ])('with %s %j says what is wrong', async (parameters, at, message) => {
    const url = urlFor(parameters.replace('CA', ca).replace('OTHER', otherCa), at);
    expect((await start(url)).replace(String(server.port), 'PORT')).toBe(message);
  });
});

it('a PostgreSQL without TLS says so', async () => {
  const url = await freshDatabase();
  expect(await start(`${url}&sslmode=require`)).toMatch(
    /^DATABASE_URL asks for TLS, which \/\S+ does not offer\. In a private network, set sslmode=disable\.$/,
  );
});

/**
 * A PostgreSQL that accepts only TLS over TCP, where the user `relay` signs in with a password.
 */
async function startTlsPostgres({ key, cert }: Pair): Promise<TlsPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
  const { binaries, data, socketFolder, account } = await prepareCluster(folder);
  const files = {
    'server.key': key,
    'server.crt': cert,
    'pg_hba.conf': `local all all trust
hostssl all all 127.0.0.1/32 scram-sha-256
`,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account) chownSync(file, account.uid, account.gid);
  }
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    ssl: 'on',
    fsync: 'off',
    unix_socket_directories: socketFolder,
  };
  const server = spawn(
    path.join(binaries, 'bin', 'postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { cwd: data, stdio: ['ignore', 'ignore', 'pipe'], ...account },
  );
  await ready(server);
  await onDatabase(
    `postgres://relay@/postgres?host=${socketFolder}&port=${port}`,
    async (client) => {
      await client.query(`ALTER USER relay PASSWORD '${password}'`);
    },
  );
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill('SIGINT');
      }),
  };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (text) => {
      log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
}
