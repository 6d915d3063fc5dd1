import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { readDatabaseUrl } from '../../base/database.ts';
import { RelayError } from '../../base/relay-error.ts';
import { type Cluster, childEnvironment, prepareCluster } from './cluster.ts';

/** An arbitrary number, the same for every process that opens the same server. */
const usersLock = 8788;
const maxStartMs = 60_000;
const pauseMs = 50;
/** PostgreSQL's code while a server starts or stops. */
const cannotConnectNow = '57P03';

const settings = {
  // Reachable only through the private folder of its socket.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
};

/**
 * Opens the PostgreSQL that keeps its data in this folder: creates it the first time, starts it if
 * it does not run, and joins it if another process started it or died without stopping it.
 */
export async function openEmbeddedPostgres(folder: string) {
  const cluster = await prepareCluster(folder);
  const user = await connectOrStartServer(cluster);
  let closing: Promise<void> | undefined;
  return {
    connectionString: socketAddressOf(cluster),
    /** When the connection to the server is gone: closed here, or the server has ended. */
    ended: new Promise<void>((resolve) => user.once('end', () => resolve())),
    /** Stops the server unless another process on this machine still uses it. */
    close: () => {
      closing ??= leave(cluster, user);
      return closing;
    },
  };
}

const hasEnded = "The relay's PostgreSQL has ended. It is started again.";
/** Between attempts, while the folder or the programs cannot be used. */
const reopenPauseMs = 1_000;

/**
 * Opens the PostgreSQL of this folder, and again whenever it has ended: killed for lack of memory,
 * or by hand. Reports that, and why it does not start.
 */
export async function superviseEmbeddedPostgres(folder: string, report: (error: unknown) => void) {
  let server = await openEmbeddedPostgres(folder);
  let isClosing = false;
  const supervise = async () => {
    await server.ended;
    if (!isClosing) report(new RelayError('postgres_failed', hasEnded));
    while (!isClosing) {
      try {
        server = await openEmbeddedPostgres(folder);
        if (isClosing) await server.close();
        return supervise();
      } catch (error) {
        report(error);
        await wait(reopenPauseMs);
      }
    }
  };
  const supervision = supervise();
  return {
    connectionString: server.connectionString,
    async close() {
      isClosing = true;
      await server.close();
      await supervision;
    },
  };
}

export function socketAddressOf({ socketFolder }: Cluster): string {
  // For a parameter that is left out, or empty, pg takes a PG* variable, which is for another PostgreSQL.
  const parameters = new URLSearchParams({
    host: socketFolder,
    port: '5432',
    sslmode: 'disable',
    sslnegotiation: 'postgres',
    client_encoding: 'UTF8',
    replication: 'false',
    options: ' ',
  });
  return `postgres://relay@/postgres?${parameters}`;
}

/**
 * A connection to the server, which starts if it does not run. Keeps connecting until it succeeds:
 * after a crash, remains of the last server may take a moment to disappear.
 */
export async function connectOrStartServer(cluster: Cluster): Promise<Client> {
  const connectionString = socketAddressOf(cluster);
  let deadline = performance.now() + maxStartMs;
  let server: ChildProcess | undefined;
  for (;;) {
    const user = await connectUser(connectionString);
    if (user === 'in between') {
      deadline = performance.now() + maxStartMs;
    } else if (user) {
      return user;
    }
    if (performance.now() > deadline) throw await startFailure(cluster);
    if (!server || server.exitCode !== null || server.signalCode !== null) {
      server = await start(cluster);
    }
    await wait(pauseMs);
  }
}

/**
 * Returns undefined if there is no server. "In between" means that it starts or stops. After a
 * crash, the start replays changes that were not written yet, and the stop writes them. Neither has
 * a time limit.
 */
async function connectUser(connectionString: string): Promise<Client | 'in between' | undefined> {
  const client = new Client({ ...readDatabaseUrl(connectionString), keepAlive: true });
  // A broken connection surfaces where it is used.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [usersLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    return (error as { code?: unknown }).code === cannotConnectNow ? 'in between' : undefined;
  }
}

async function start({
  binaries,
  data,
  socketFolder,
  account,
  log,
}: Cluster): Promise<ChildProcess> {
  const options = { ...settings, unix_socket_directories: socketFolder };
  const output = await open(log, 'w');
  try {
    const server = spawn(
      join(binaries, 'bin', 'postgres'),
      [
        '-D',
        data,
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // Detached, because Ctrl-C must stop only the relay, which stops its server when it is done.
      {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
        cwd: data,
        env: childEnvironment(),
        ...account,
      },
    );
    server.on('error', () => undefined);
    server.unref();
    return server;
  } finally {
    await output.close();
  }
}

async function startFailure({ log }: Cluster): Promise<RelayError> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-5);
  return new RelayError(
    'postgres_failed',
    `The relay's PostgreSQL did not start. The end of ${log}:\n${lines.join('\n')}`,
  );
}

async function leave(cluster: Cluster, user: Client): Promise<void> {
  try {
    await user.query('SELECT pg_advisory_unlock_shared($1)', [usersLock]);
    const { rows } = await user.query('SELECT pg_try_advisory_lock($1) AS last', [usersLock]);
    if (rows[0]?.last) await stop(cluster);
  } catch {
    // It has already stopped.
  } finally {
    await user.end().catch(() => undefined);
  }
}

/** A fast shutdown: rolls back open transactions and writes what was committed. */
async function stop({ data }: Cluster): Promise<void> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGINT');
  while (isAlive(pid)) await wait(pauseMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
