import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareCluster } from '../../../packages/relay/src/postgres/cluster.ts';
import { freePort } from '../../support/free-port.ts';
import type { Pair } from './certificate.ts';
import { onDatabase } from './database.ts';

export const password = 'pass/word@of relay';

export interface TlsPostgres {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A PostgreSQL that accepts only TLS over TCP. The user `relay` signs in with SCRAM and a password,
 * `weak` with the password in clear text, and `anyone` without.
 */
export async function startTlsPostgres({ key, cert }: Pair): Promise<TlsPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
  const { binaries, data, socketFolder, account } = await prepareCluster(folder);
  const files = {
    'server.key': key,
    'server.crt': cert,
    'pg_hba.conf': `local all all trust
hostssl all weak 127.0.0.1/32 password
hostssl all anyone 127.0.0.1/32 trust
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
      for (const user of ['weak', 'anyone']) await client.query(`CREATE USER ${user} SUPERUSER`);
      for (const user of ['relay', 'weak']) {
        await client.query(`ALTER USER ${user} PASSWORD '${password}'`);
      }
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
