import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createRelay, type RelayError } from '@screen-advertising/relay';
import { Client } from 'pg';
import { readDatabaseUrl } from '../../../packages/relay/src/base/database.ts';
import { listen } from '../../shared/support/loopback.ts';
import { closeAfterFile } from '../../support/closing.ts';
import { type Pair, pair } from '../support/certificate.ts';
import { freshDatabase, secretKey } from '../support/running-relay.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
const ca = path.join(folder, 'ca.pem');
const otherCa = path.join(folder, 'other.pem');
let tlsPort: number;

beforeAll(async () => {
  const authority = await pair(['authority.example'], { isAuthority: true });
  const other = await pair(['other.example'], { isAuthority: true });
  writeFileSync(ca, authority.cert);
  writeFileSync(otherCa, other.cert);
  tlsPort = await startTls(await pair(['localhost'], { ca: authority }));
});

/** Accepts TLS in front of the PostgreSQL of all tests, and returns its port. */
async function startTls({ key, cert }: Pair): Promise<number> {
  const { host, port } = new Client(readDatabaseUrl(await freshDatabase()));
  const server = createServer((socket) => {
    // The first message asks whether it has TLS.
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key, cert });
      const behind = connect(`${host}/.s.PGSQL.${port}`);
      client.pipe(behind).pipe(client);
      for (const end of [client, behind]) end.on('error', () => behind.destroy());
    });
  });
  const listening = await listen(server);
  closeAfterFile(listening.close);
  return listening.port;
}

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

/** An empty database behind TLS. */
async function urlFor(parameters: string, { host = 'localhost' } = {}): Promise<string> {
  const { database } = new Client(readDatabaseUrl(await freshDatabase()));
  return `postgres://relay@${host}:${tlsPort}/${database}?${parameters}`;
}

describe('DATABASE_URL of a PostgreSQL with TLS', () => {
  it.each([
    ['sslmode=require', {}],
    ['sslmode=require&sslrootcert=CA', { host: '127.0.0.1' }],
    ['sslmode=verify-ca&sslrootcert=CA', { host: '127.0.0.1' }],
    ['sslmode=verify-full&sslrootcert=CA', {}],
  ])('works with %s %j', async (parameters, at) => {
    const url = await urlFor(parameters.replace('CA', ca), at);
    expect(await start(url)).toBe('200, relay_database_up 1');
  });

  const unsigned = (host: string) =>
    `DATABASE_URL leads to ${host}, port PORT, whose certificate no known authority signed (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Add sslrootcert=FILE with your provider's certificate authority.`;

  it.each([
    ['sslmode=verify-full', {}, unsigned('localhost')],
    ['sslmode=verify-full&sslrootcert=OTHER', {}, unsigned('localhost')],
    [
      'sslmode=verify-full&sslrootcert=CA',
      { host: '127.0.0.1' },
      'DATABASE_URL names the host "127.0.0.1", but the certificate there is for another (ERR_TLS_CERT_ALTNAME_INVALID).',
    ],
  ])('with %s %j says what is wrong', async (parameters, at, message) => {
    const url = await urlFor(parameters.replace('CA', ca).replace('OTHER', otherCa), at);
    expect((await start(url)).replace(String(tlsPort), 'PORT')).toBe(message);
  });
});

it('a PostgreSQL without TLS says so', async () => {
  const url = await freshDatabase();
  expect(await start(`${url}&sslmode=require`)).toMatch(
    /^DATABASE_URL asks for TLS, which \/\S+ does not offer\. In a private network, set sslmode=disable\.$/,
  );
});
