import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRelay, type NewToken } from '@screen-advertising/relay';
import { parse } from 'yaml';
import { openEmbeddedPostgres } from '../../../packages/relay/src/postgres/embedded.ts';
import { freePort } from '../../support/free-port.ts';
import { root } from '../support/paths.ts';
import { type Server, startServer } from '../support/program.ts';
import { openProxy } from './proxy.ts';

export interface Layout {
  /** Where the service delivers to: the proxy before the ingress processes. */
  readonly url: string;
  readonly key: NewToken;
  readonly names: readonly string[];
  readonly signingSecret: string;
  /** Ends a process at once, as a crash or a lost machine does. */
  kill(name: string): Promise<void>;
  /** As an update does. */
  stop(name: string): Promise<void>;
  start(name: string): Promise<void>;
  close(): Promise<void>;
}

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>> }>
  >;
}

/** The relays of docs/relay-cluster/compose.yaml, as processes of this machine. */
export async function openLayout(): Promise<Layout> {
  const file = readFileSync(path.join(root, 'docs/relay-cluster/compose.yaml'), 'utf8');
  const { services } = parse(file, { merge: true }) as Compose;
  const roles = Object.entries(services).flatMap(([name, { environment }]) =>
    environment?.RELAY_ROLE === undefined ? [] : [[name, environment.RELAY_ROLE] as const],
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'relay-layout-'));
  chmodSync(folder, 0o755);
  const postgres = await openEmbeddedPostgres(path.join(folder, 'data'));
  const secretKey = randomBytes(32).toString('base64');
  const signingSecret = randomBytes(16).toString('hex');
  const ports = new Map<string, number>();
  const programs = new Map<string, Server>();
  for (const [name] of roles) ports.set(name, await freePort());
  const portOf = (name: string) => ports.get(name) ?? 0;
  const log = (name: string) => path.join(folder, `${name}.log`);

  const start = async (name: string): Promise<void> => {
    const program = await startServer({
      name,
      command: process.execPath,
      args: ['--conditions=source', '--no-warnings', 'packages/relay/src/cli/main.ts', 'start'],
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: postgres.connectionString,
        RELAY_SECRET_KEY: secretKey,
        RELAY_ROLE: new Map(roles).get(name),
        RELAY_ALLOW_TARGETS: '127.0.0.1',
        PORT: String(portOf(name)),
      },
      log: log(name),
      ready: async () =>
        fetch(`http://127.0.0.1:${portOf(name)}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      readyWithinMs: 300_000,
    });
    programs.set(name, program);
  };
  const close = async () => {
    await Promise.all([...programs.values()].map((program) => program.stop()));
    proxy?.close();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  };
  let proxy: Awaited<ReturnType<typeof openProxy>> | undefined;
  try {
    // All at once on an empty database, as a cluster starts.
    await Promise.all(roles.map(([name]) => start(name)));
    const ingress = roles.filter(([, role]) => role === 'ingress').map(([name]) => portOf(name));
    proxy = await openProxy(ingress);
    return {
      url: proxy.url,
      key: await firstKey(postgres.connectionString, secretKey, signingSecret),
      names: roles.map(([name]) => name),
      signingSecret,
      async kill(name) {
        programs.get(name)?.signal('SIGKILL');
        await programs.get(name)?.ended;
      },
      async stop(name) {
        await programs.get(name)?.stop();
      },
      start,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As the commands of the guide make it. */
async function firstKey(
  databaseUrl: string,
  secretKey: string,
  signingSecret: string,
): Promise<NewToken> {
  const relay = await createRelay({ databaseUrl, secretKey });
  try {
    await relay.sources.add('main', signingSecret);
    return await relay.tokens.create('main', 'end-to-end');
  } finally {
    await relay.close();
  }
}
