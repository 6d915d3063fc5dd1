import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { freePort } from '../../support/free-port.ts';
import { type Collector, openCollector } from '../support/collector.ts';
import { type Credential, N8nApi } from '../support/n8n-api.ts';
import { installN8n } from '../support/n8n-install.ts';
import { type N8nProcess, startN8n } from '../support/n8n-server.ts';
import { addNodePackage } from '../support/node-package.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Program } from '../support/program.ts';
import { say } from '../support/progress.ts';
import { startRedis } from '../support/redis.ts';
import { type InstantRelay, openInstantRelay } from './instant-relay.ts';

/** Two main processes are two servers on one database and queue, as n8n has them. */
export type Main = 'main-1' | 'main-2';

export interface InstantWorld {
  readonly api: N8nApi;
  readonly sandbox: Sandbox;
  readonly relay: InstantRelay;
  readonly credential: Credential;
  readonly collector: Collector;
  start(main: Main, env?: Readonly<Record<string, string>>): Promise<void>;
  /** As an update does. */
  stop(main: Main): Promise<void>;
  /** As a lost machine does. */
  kill(main: Main): Promise<void>;
  portOf(main: Main): number;
  /** n8n's. */
  readonly database: string;
  /** Empty before it was started. */
  logOf(main: Main): string;
  close(): Promise<void>;
}

/** n8n in queue mode, the relay before it, and the sandbox that delivers to the relay. */
export async function openInstantWorld(): Promise<InstantWorld> {
  const install = await installN8n();
  const folder = await mkdtemp(path.join(tmpdir(), 'instant-'));
  // PostgreSQL's folder lies in it, and may belong to another account.
  chmodSync(folder, 0o755);
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  const processes = new Map<string, N8nProcess>();
  try {
    say('Starting PostgreSQL and Redis');
    const keep = ({ program }: { readonly program: Program }) => closing.push(() => program.stop());
    const postgres = await startPostgres(folder);
    keep(postgres);
    const redis = await startRedis(folder);
    keep(redis);
    const sandbox = createSandbox({ clock: 'frozen' });
    closing.push(() => sandbox.close());
    const relay = await openInstantRelay({ postgres, sandbox });
    closing.push(() => relay.close());
    const collector = await openCollector();
    closing.push(() => collector.close());

    const ports = {
      'main-1': await freePort(),
      'main-2': await freePort(),
      worker: await freePort(),
    };
    const shared = {
      EXECUTIONS_MODE: 'queue',
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(postgres.port),
      DB_POSTGRESDB_DATABASE: 'postgres',
      DB_POSTGRESDB_USER: 'n8n',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      WEBHOOK_URL: `http://127.0.0.1:${ports['main-1']}/`,
    };
    const home = (name: string) => path.join(folder, name);
    const start = async (name: Main | 'worker', env: Readonly<Record<string, string>> = {}) => {
      const started = await startN8n({
        install,
        userFolder: home(name),
        name: `n8n ${name}`,
        ...(name === 'worker' && { role: 'worker' }),
        port: ports[name],
        env: { ...shared, ...env },
      });
      processes.set(name, started);
    };
    const stop = async (name: string) => void (await processes.get(name)?.program.stop());
    closing.push(() => Promise.all(Object.keys(ports).map(stop)));
    for (const name of Object.keys(ports)) await addNodePackage(home(name));
    say('Starting n8n: a main process, then a worker');
    await start('main-1');
    const api = new N8nApi(`http://127.0.0.1:${ports['main-1']}`);
    const [credential] = await Promise.all([
      api.signIn().then(() =>
        api.createCredential('Relay', 'screenAdvertisingRelayApi', {
          baseUrl: relay.url,
          connectorKey: relay.connectorKey,
        }),
      ),
      start('worker'),
    ]);
    return {
      api,
      sandbox,
      relay,
      credential,
      collector,
      start,
      stop,
      async kill(main) {
        const { program } = processes.get(main) ?? {};
        program?.signal('SIGKILL');
        await program?.ended();
      },
      portOf: (main) => ports[main],
      database: `postgres://n8n@127.0.0.1:${postgres.port}/postgres`,
      logOf(main) {
        const log = path.join(home(main), `n8n-${main}.log`);
        return existsSync(log) ? readFileSync(log, 'utf8') : '';
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
