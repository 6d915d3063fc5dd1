import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { run, type Server, startServer } from '../../support/launch.ts';
import { nodePackage, root, say, userCache } from './machine.ts';

export interface N8nProcess {
  readonly program: Server;
  readonly url: string;
}

interface N8nOptions {
  readonly install: N8nInstall;
  /** Where it keeps its settings, its database and community packages. */
  readonly userFolder: string;
  readonly name?: string;
  /** Nothing for the server itself, or `worker` or `webhook` of queue mode. */
  readonly role?: 'worker' | 'webhook';
  readonly args?: readonly string[];
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
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
  const { install, userFolder, role, args = [], env } = options;
  const name = options.name ?? `n8n${role ? ` ${role}` : ''}`;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(userFolder, { recursive: true });
  const program = await startServer({
    name,
    command: install.node,
    args: [install.entry, ...(role ? [role] : []), ...args],
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

interface N8nInstall {
  readonly folder: string;
  /** The Node that it runs on. */
  readonly node: string;
  /** Its command line. */
  readonly entry: string;
}

/** Installs the pinned n8n in a separate folder, about 2 GB. */
export async function installN8n(): Promise<N8nInstall> {
  const folder = await installOnDemand({
    name: 'n8n',
    source: path.join(root, 'test/e2e/n8n-server'),
    files: ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'],
  });
  const modules = path.join(folder, 'node_modules');
  return {
    folder,
    node: path.join(modules, 'node/bin/node'),
    entry: path.join(modules, 'n8n/bin/n8n'),
  };
}

interface OnDemand {
  /** As people call it: part of the folder's name, and of what is said meanwhile. */
  readonly name: string;
  /** A separate workspace with a lock file. */
  readonly source: string;
  /** All that the install needs of it. */
  readonly files: readonly string[];
}

/**
 * Installs packages that are too many for the everyday install, unless they are there. All clones
 * of this repository share them. Gives the folder.
 */
export async function installOnDemand({ name, source, files }: OnDemand): Promise<string> {
  const folder = path.join(userCache, `${name}-${await fingerprint(source, files)}`);
  if (existsSync(folder)) return folder;
  say(`Installing ${name} into ${folder}, which takes up to five minutes`);
  await mkdir(userCache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const file of files) await cp(path.join(source, file), path.join(unfinished, file));
    await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
      cwd: unfinished,
      env: { ...withoutWorkspace(), CI: 'true' },
      withinMs: 900_000,
      meanwhile: (printed) => say(progressIn(printed)),
    });
    // Renaming makes the folder appear only when complete, even if interrupted or run in parallel.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    throw new Error(
      `${name} could not be installed. Check your network and disk space, and that npm reaches its registry (npm ping); then run this again.\n${(error as Error).message}`,
    );
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  say(`${name} is installed`);
  return folder;
}

/** For example `resolved 2100, reused 0, downloaded 1200, added 800`. */
function progressIn(printed: string): string {
  return (
    printed
      .match(/(?<=Progress: ).+/g)
      ?.at(-1)
      ?.replace(/, done$/, '') ?? 'Still installing'
  );
}

async function fingerprint(source: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex').slice(0, 12);
}

/** The environment without the outer pnpm's variables, which would steer the inner one. */
export function withoutWorkspace(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name)),
  );
}

const packageName = 'n8n-nodes-screen-advertising';

/** Where the runner keeps the tarball that all test files share. */
const { PACKED_NODE } = process.env;

let packed = PACKED_NODE === undefined ? undefined : Promise.resolve(PACKED_NODE);

/**
 * Puts the package, as it would be published, where n8n keeps community packages and loads them at
 * its start. It has no dependencies, so unpacking is all that n8n's own installer would do.
 */
export async function addNodePackage(userFolder: string): Promise<void> {
  packed ??= packNode();
  const tarball = await packed;
  const folder = path.join(userFolder, '.n8n/nodes/node_modules', packageName);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/** Builds and packs the package; gives the tarball, which this process removes at its end. */
export async function packNode(): Promise<string> {
  say('Building and packing the node package');
  const folder = await mkdtemp(path.join(tmpdir(), 'packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const inPackage = { cwd: nodePackage, env: withoutWorkspace() };
  await run(process.execPath, ['scripts/build.mts'], inPackage);
  await run('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', folder], inPackage);
  const [tarball] = await readdir(folder);
  if (tarball === undefined) throw new Error(`Packing ${packageName} gave no tarball.`);
  return path.join(folder, tarball);
}
