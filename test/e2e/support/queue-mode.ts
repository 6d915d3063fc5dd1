import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { run, type Server, startServer } from '../../support/launch.ts';
import { fromDebian, say } from './machine.ts';
import { addNodePackage, installN8n, type N8nProcess, startN8n } from './n8n-server.ts';
import { startPostgres } from './postgres.ts';

export interface QueueMode<Part extends string> {
  readonly folder: string;
  readonly redis: Server;
  portOf(part: Part): number;
  /** Starts a part at its port; what its name begins with is its role. */
  start(part: Part, env: NodeJS.Dict<string>): Promise<void>;
  /** As an update does. */
  stop(part: Part, graceMs?: number): Promise<void>;
  /** As a crash or a lost machine does. */
  kill(part: Part): Promise<void>;
  /** At the end, what was opened last closes first. */
  closes(end: () => unknown): void;
  close(): Promise<void>;
}

/** PostgreSQL and Redis for the parts of one n8n in queue mode, all of it on this machine. */
export async function openQueueMode<Part extends string>(
  ...parts: readonly Part[]
): Promise<QueueMode<Part>> {
  const install = await installN8n();
  const folder = await mkdtemp(path.join(tmpdir(), 'queue-mode-'));
  // PostgreSQL's folder lies in it, and may belong to another account.
  chmodSync(folder, 0o755);
  const ports = new Map<string, number>();
  const running = new Map<string, N8nProcess>();
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  say('Starting PostgreSQL and Redis');
  const postgres = await startPostgres(folder);
  closing.push(() => postgres.program.stop());
  const redis = await startRedis(folder);
  closing.push(() => redis.program.stop());
  const home = (part: Part) => path.join(folder, part);
  for (const part of parts) {
    ports.set(part, await freePort());
    await addNodePackage(home(part));
  }
  closing.push(() => Promise.all([...running.values()].map(({ program }) => program.stop())));
  const portOf = (part: Part) => ports.get(part) ?? 0;
  const connections = {
    EXECUTIONS_MODE: 'queue',
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: '127.0.0.1',
    DB_POSTGRESDB_PORT: String(postgres.port),
    DB_POSTGRESDB_DATABASE: 'postgres',
    DB_POSTGRESDB_USER: 'n8n',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redis.port),
    N8N_ENCRYPTION_KEY: 'encryption-key-of-the-tests',
  };
  return {
    folder,
    redis: redis.program,
    portOf,
    async start(part, env) {
      const [role] = part.split('-') as ['main' | 'worker' | 'webhook'];
      const started = await startN8n({
        install,
        userFolder: home(part),
        name: `n8n ${part}`,
        ...(role !== 'main' && { role }),
        port: portOf(part),
        env: { ...env, ...connections },
      });
      running.set(part, started);
    },
    stop: async (part, graceMs) => void (await running.get(part)?.program.stop(graceMs)),
    async kill(part) {
      const { program } = running.get(part) ?? {};
      program?.signal('SIGKILL');
      await program?.ended;
    },
    closes: (end) => void closing.push(end),
    async close() {
      for (const end of closing.splice(0).reverse()) await end();
    },
  };
}

interface Redis {
  readonly program: Server;
  readonly port: number;
}

/** Starts a separate Redis on 127.0.0.1 that keeps nothing on disk. */
async function startRedis(folder: string): Promise<Redis> {
  const command = await fromDebian('redis-server');
  const port = await freePort();
  const at = ['-h', '127.0.0.1', '-p', String(port)];
  const program = await startServer({
    name: 'Redis',
    command,
    args: ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder],
    log: path.join(folder, 'redis.log'),
    ready: async () =>
      run('/usr/bin/redis-cli', [...at, 'ping']).then(
        (answer) => /PONG/.test(answer),
        () => false,
      ),
    readyWithinMs: 300_000,
  });
  return { program, port };
}
