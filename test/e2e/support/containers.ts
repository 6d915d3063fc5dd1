import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { run, type Server, startServer } from '../../support/launch.ts';
import { fromDebian, root, say, userCache } from './machine.ts';

/** Images, which later runs reuse. */
const storage = path.join(userCache, 'containers');
const node = path.join(root, 'node_modules/node/bin/node');
const base = `localhost/node:${process.versions.node}`;

/** Why this machine cannot build and run containers; undefined if it can. */
export const whyNoContainers =
  process.platform !== 'linux'
    ? 'needs Linux'
    : process.getuid?.() !== 0
      ? 'buildah --isolation chroot needs root'
      : undefined;

const buildah = (...args: string[]) =>
  run(
    'buildah',
    ['--root', path.join(storage, 'root'), '--runroot', path.join(storage, 'run'), ...args],
    {
      withinMs: 1_800_000,
    },
  );

/** What an image says about itself. */
export interface ImageConfig {
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly StopSignal: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[] | null;
}

export interface Image {
  readonly config: ImageConfig;
  /** Everything that Buildah reports about it. */
  readonly description: string;
}

/** Builds the Dockerfile of a package as its first lines say, on Debian with this Node.js. */
export async function buildImage(name: string): Promise<Image> {
  await fromDebian('buildah');
  await buildBase();
  say(`Building the image of packages/${name}`);
  const image = `localhost/screen-advertising-${name}`;
  await buildah(
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--layers'],
    ...['--build-arg', `NODE_IMAGE=${base}`, '--tag', image],
    ...['--file', path.join(root, 'packages', name, 'Dockerfile'), root],
  );
  const description = await buildah('inspect', '--type', 'image', image);
  return { config: JSON.parse(description).Docker.config, description };
}

/** In place of the image from a registry of images, which these tests do not need. */
async function buildBase(): Promise<void> {
  if ((await buildah('images', '--quiet', '--filter', `reference=${base}`)) !== '') return;
  say('Building the base image: Debian with Node.js');
  const debootstrap = await fromDebian('debootstrap');
  const folder = path.join(storage, 'debian');
  mkdirSync(storage, { recursive: true });
  await run(debootstrap, ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder]);
  await run('chroot', [folder, 'apt-get', 'clean']);
  const container = (await buildah('from', 'scratch')).trim();
  await buildah('copy', '--quiet', container, folder, '/');
  await rm(folder, { recursive: true });
  await buildah('copy', '--quiet', container, node, '/usr/local/bin/node');
  // The Node.js of this project has no npm, so `npm root --global` names a folder without it.
  const program = (await run('sh', ['-c', 'command -v npm'])).trim();
  const npm = path.join(realpathSync(program), '../..');
  await buildah('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm');
  const links = ['npm', 'npx'].map(
    (name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`,
  );
  const account = 'groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node';
  const script = [account, ...links].join(' && ');
  await buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-c', script);
  // A machine may reach the registry through a proxy that signs with another authority.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities && existsSync(authorities)) {
    const inside = '/etc/ssl/certs/extra.crt';
    await buildah('copy', '--quiet', container, authorities, inside);
    await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${inside}`, container);
  }
  await buildah('commit', '--quiet', '--format', 'docker', '--rm', container, base);
}

export interface ContainerOptions {
  readonly image: string;
  /** The folder that takes the place of the volume. */
  readonly volume: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A container of an image. It shares network and processes with this machine. */
export class Container {
  readonly #id: string;
  readonly #options: ContainerOptions;

  constructor(id: string, options: ContainerOptions) {
    this.#id = id;
    this.#options = options;
  }

  static async create(options: ContainerOptions): Promise<Container> {
    const id = await buildah(
      'from',
      '--pull-never',
      `localhost/screen-advertising-${options.image}`,
    );
    // Buildah would put the image's volume over the folder.
    await buildah('config', '--volume', '/data-', id.trim());
    return new Container(id.trim(), options);
  }

  /** Runs a command beside what runs, as `docker exec` does, and gives its output. */
  execute(...command: string[]): Promise<string> {
    return run('buildah', this.#arguments([], command));
  }

  /** Starts what the image starts. */
  start(
    { Entrypoint, Cmd }: ImageConfig,
    options: { log: string; ready: () => Promise<boolean>; user?: string },
  ): Promise<Server> {
    const flags = options.user === undefined ? [] : ['--user', options.user];
    return startServer({
      name: `the container of ${this.#options.image}`,
      command: 'buildah',
      args: this.#arguments(flags, [...Entrypoint, ...(Cmd ?? [])]),
      log: options.log,
      ready: options.ready,
      readyWithinMs: 300_000,
    });
  }

  /**
   * From now on, only the volume can be written, as with `docker run --read-only`. Commands run,
   * but Buildah fails when they end, since it cannot clean up.
   */
  async makeReadOnly(): Promise<void> {
    // Buildah creates its mount points on the first run, and the file on each.
    await this.execute('true');
    const files = (await buildah('mount', this.#id)).trim();
    writeFileSync(path.join(files, 'run/.containerenv'), '');
    await run('mount', ['-o', 'remount,ro', files]);
  }

  /** Everything that Buildah reports about it. */
  describe(): Promise<string> {
    return buildah('inspect', '--type', 'container', this.#id);
  }

  async remove(): Promise<void> {
    await buildah('rm', this.#id);
  }

  #arguments(flags: readonly string[], command: readonly string[]): string[] {
    const { volume, env } = this.#options;
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return [
      ...['--root', path.join(storage, 'root'), '--runroot', path.join(storage, 'run')],
      ...['run', '--isolation', 'chroot', '--volume', `${volume}:/data`, ...flags, ...variables],
      ...[this.#id, '--', ...command],
    ];
  }
}
