import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { N8nApi } from './n8n-api.ts';
import { installN8n } from './n8n-install.ts';
import { type N8nProcess, startN8n } from './n8n-server.ts';
import { startNginx } from './nginx.ts';
import { addNodePackage } from './node-package.ts';
import { root } from './paths.ts';
import { startPostgres } from './postgres.ts';
import type { Program } from './program.ts';
import { say } from './progress.ts';
import { startRedis } from './redis.ts';

export type Part = 'main' | 'worker-1' | 'worker-2' | 'webhook-1' | 'webhook-2';

/** How long a container gets to shut down. */
const graceOfContainersMs = 10_000;

export interface Cluster {
  readonly api: N8nApi;
  /** Where the service delivers to: the proxy before the webhook processes. */
  readonly url: string;
  readonly redis: Program;
  /** Ends a part at once, as a crash or a lost machine does. */
  kill(part: Part): Promise<void>;
  /** Stops a part as `docker compose restart` does, and starts it again at its old address. */
  restart(part: Part): Promise<void>;
  logOf(part: Part): string;
  close(): Promise<void>;
}

/** n8n in queue mode, as docs/n8n-cluster describes it, all of it on this machine. */
export async function openCluster(): Promise<Cluster> {
  const install = await installN8n();
  const folder = await mkdtemp(path.join(tmpdir(), 'n8n-cluster-'));
  // PostgreSQL's folder lies in it, and may belong to another account.
  chmodSync(folder, 0o755);
  const programs: Program[] = [];
  const close = async () => {
    await Promise.all([...parts.values()].map(({ program }) => program.stop()));
    for (const program of programs.reverse()) await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const parts = new Map<Part, N8nProcess>();
  try {
    say('Starting PostgreSQL and Redis');
    const postgres = await startPostgres(folder);
    programs.push(postgres.program);
    const redis = await startRedis(folder);
    programs.push(redis.program);
    const ports: Record<Part, number> = {
      main: await freePort(),
      'worker-1': await freePort(),
      'worker-2': await freePort(),
      'webhook-1': await freePort(),
      'webhook-2': await freePort(),
    };
    const nginx = await startNginx(folder, {
      'main:5678': `127.0.0.1:${ports.main}`,
      'webhook-1:5678': `127.0.0.1:${ports['webhook-1']}`,
      'webhook-2:5678': `127.0.0.1:${ports['webhook-2']}`,
    });
    programs.push(nginx.program);
    const env = {
      ...(parseEnv(readFileSync(path.join(root, 'docs/n8n-cluster/n8n.env'), 'utf8')) as Record<
        string,
        string
      >),
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(postgres.port),
      DB_POSTGRESDB_DATABASE: 'postgres',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      WEBHOOK_URL: `${nginx.url}/`,
    };
    const home = (part: Part) => path.join(folder, part);
    const start = async (part: Part): Promise<void> => {
      const [role] = part.split('-') as ['main' | 'worker' | 'webhook'];
      parts.set(
        part,
        await startN8n({
          install,
          userFolder: home(part),
          name: `n8n ${part}`,
          ...(role !== 'main' && { role }),
          port: ports[part],
          env,
        }),
      );
    };
    say('Starting n8n: main, two workers, two webhook processes');
    for (const part of Object.keys(ports) as Part[]) await addNodePackage(home(part));
    await start('main');
    const api = new N8nApi(`http://127.0.0.1:${ports.main}`);
    await api.signIn();
    await Promise.all(
      (['worker-1', 'worker-2', 'webhook-1', 'webhook-2'] as const).map((part) => start(part)),
    );
    return {
      api,
      url: nginx.url,
      redis: redis.program,
      async kill(part) {
        const process = parts.get(part);
        process?.program.signal('SIGKILL');
        await process?.program.ended();
      },
      async restart(part) {
        await parts.get(part)?.program.stop(graceOfContainersMs);
        await start(part);
      },
      logOf: (part) => readFileSync(path.join(home(part), `n8n-${part}.log`), 'utf8'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
