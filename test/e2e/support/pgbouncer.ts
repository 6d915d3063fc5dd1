import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { ordinaryAccount } from './account.ts';
import { fromDebian } from './debian.ts';
import { type Server, startServer } from './program.ts';

export interface PgBouncer {
  readonly program: Server;
  readonly port: number;
}

type Settings = Readonly<Record<string, string | number>>;

/** Starts a pooler before the PostgreSQL at this port of 127.0.0.1. The folder holds its files. */
export async function startPgBouncer(
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
