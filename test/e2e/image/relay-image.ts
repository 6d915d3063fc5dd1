import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { freePort } from '../../support/free-port.ts';
import { placesOfSecrets, runningProcesses } from '../../support/processes.ts';
import { urlOf } from '../../support/server-url.ts';
import { buildImage, Container } from '../support/containers.ts';
import type { Server } from '../support/program.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';

/** The user "node" of the image. */
export const nodeUser = 1000;

/** How long hosts wait for it to stop, according to docs/relay-hosting.md. */
const maxStopMs = 40_000;

interface Line {
  readonly pid: number;
  readonly msg: string;
}

export type RelayImage = Awaited<ReturnType<typeof openRelayImage>>;

/** Builds the relay's image, and opens containers of it. */
export async function openRelayImage() {
  const { config, description } = await buildImage('relay');
  const folder = await mkdtemp(path.join(tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  const opened: { container: Container; program?: Server }[] = [];
  return {
    config,
    folder,

    newVolume(name: string, owner = nodeUser): string {
      const volume = path.join(folder, name);
      mkdirSync(volume, { mode: 0o700 });
      chownSync(volume, owner, owner);
      return volume;
    },

    async open(volume: string, settings: Readonly<Record<string, string>> = {}) {
      const port = settings.PORT ?? String(await freePort());
      const shared = { HOST: '127.0.0.1', RELAY_ALLOW_TARGETS: '127.0.0.1' };
      const env = { ...shared, ...settings, PORT: port };
      const container = await Container.create({ image: 'relay', volume, env });
      const entry: (typeof opened)[number] = { container };
      opened.push(entry);
      const url = `http://127.0.0.1:${port}`;
      const log = path.join(folder, `${path.basename(volume)}.log`);
      const isHealthy = () =>
        container.execute(...config.Healthcheck.Test.slice(1)).then(
          () => true,
          () => false,
        );
      /** The relay's own lines, of its last start. */
      const lines = () => {
        const all = readFileSync(log, 'utf8').match(/^\{.*"pid":\d+.*\}$/gm) ?? [];
        const logged = all.map((line): Line => JSON.parse(line));
        return logged.filter((line) => line.pid === logged.at(-1)?.pid);
      };
      const pid = () => lines().at(-1)?.pid ?? Number.NaN;
      const processes = () => {
        const all = runningProcesses();
        const root = all.find((one) => one.pid === pid())?.root ?? '/';
        assert.notEqual(root, '/');
        const inside = all.filter((one) => one.root === root);
        return inside.filter(({ command }) => !command.startsWith('buildah-chroot-exec '));
      };
      return {
        container,
        url,
        log,
        isHealthy,
        pid,
        processes,

        /** Where a secret of its settings shows. */
        async placesOf(secrets: readonly string[]): Promise<string[]> {
          const texts = {
            'the log': readFileSync(log, 'utf8'),
            'inspect of the image': description,
            'inspect of the container': await container.describe(),
          };
          const shown = Object.entries(texts).filter(([, text]) =>
            secrets.some((secret) => text.includes(secret)),
          );
          return [
            ...shown.map(([place]) => place),
            ...placesOfSecrets(processes(), pid(), secrets),
          ];
        },

        /** As `docker stop` does: signals only what the image starts. */
        async stop(): Promise<void> {
          process.kill(pid(), config.StopSignal);
          await waitFor(
            { what: 'the relay to stop', withinMs: maxStopMs },
            () => !entry.program?.isRunning,
          );
          assert.equal(lines().at(-1)?.msg, 'Stopped');
          assert.equal(existsSync(path.join(volume, 'postgres/postmaster.pid')), false);
        },

        async start(user?: string): Promise<Server> {
          const startedAt = performance.now();
          const ready = () =>
            fetch(`${url}/readyz`).then(
              ({ ok }) => ok,
              () => false,
            );
          entry.program = await container.start(config, { log, ready, ...(user && { user }) });
          say(`Ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
          return entry.program;
        },
      };
    },

    async close(): Promise<void> {
      for (const { container, program } of opened) {
        await program?.stop();
        await container.remove();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Collects the IDs of the events that arrive. */
export async function openSubscriber() {
  const arrived = new Set<string>();
  let isUp = true;
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { id: string };
    if (isUp) arrived.add(id);
    response.writeHead(isUp ? 200 : 503).end();
  });
  return {
    url: `${await urlOf(server)}/`,
    arrived,
    setUp(value: boolean) {
      isUp = value;
    },
    close: () => server.close(),
  };
}
