import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import type { N8nInstall } from './n8n-install.ts';
import { type Server, startServer } from './program.ts';

export interface N8nProcess {
  readonly program: Server;
  readonly url: string;
}

export interface N8nOptions {
  readonly install: N8nInstall;
  /** Where it keeps its settings, its database and community packages. */
  readonly userFolder: string;
  readonly name?: string;
  /** Nothing for the server itself, or `worker` or `webhook` of queue mode. */
  readonly role?: 'worker' | 'webhook';
  readonly args?: readonly string[];
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that Node.js loads before n8n. */
  readonly preload?: string;
}

/** Quiet, local, and without calls to n8n's own services, which a closed network would refuse. */
const settings = {
  N8N_HOST: '127.0.0.1',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  N8N_ONBOARDING_FLOW_DISABLED: 'true',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_SECURE_COOKIE: 'false',
  GENERIC_TIMEZONE: 'UTC',
};

const readyWithinMs = 600_000;

/** Starts one n8n process. Resolves once it is ready. */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
  const { install, userFolder, role, args = [], env, preload } = options;
  const name = options.name ?? `n8n${role ? ` ${role}` : ''}`;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(userFolder, { recursive: true });
  const program = await startServer({
    name,
    command: install.node,
    args: [
      ...(preload ? ['--import', preload] : []),
      install.entry,
      ...(role ? [role] : []),
      ...args,
    ],
    cwd: userFolder,
    env: {
      PATH: `${path.dirname(install.node)}:${process.env.PATH}`,
      HOME: userFolder,
      N8N_USER_FOLDER: userFolder,
      ...settings,
      // One start leaves compiled code for the next, whatever its folder.
      NODE_COMPILE_CACHE: path.join(install.folder, 'compiled'),
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      ...(role === 'worker' && {
        QUEUE_HEALTH_CHECK_ACTIVE: 'true',
        QUEUE_HEALTH_CHECK_PORT: String(port),
        N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
      }),
      ...env,
    },
    log: path.join(userFolder, `${name.replaceAll(/\W+/g, '-')}.log`),
    ready: async () => (await statusOf(`${url}/healthz/readiness`)) === 200,
    readyWithinMs,
  });
  return { program, url };
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
