import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import type { Server } from '../../support/launch.ts';
import { placesOfSecrets, runningProcesses } from '../../support/processes.ts';
import { buildImage, Container, type Image, whyNoContainers } from '../support/containers.ts';
import { waitFor } from '../support/wait.ts';

/** The user "node" of the image. */
const nodeUser = 1000;
/** How long hosts wait for it to stop, according to docs/relay-hosting.md. */
const maxStopMs = 40_000;
const signingSecret = 'signing-secret-of-the-service';

describe('the image of the relay', { skip: whyNoContainers ?? false }, () => {
  let image: Image;
  let folder: string;
  let container: Container;
  let program: Server;
  const log = () => path.join(folder, 'relay.log');

  before(async () => {
    image = await buildImage('relay');
    folder = await mkdtemp(path.join(tmpdir(), 'image-'));
    chmodSync(folder, 0o755);
  });

  after(async () => {
    await program?.stop();
    await container?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function newVolume(name: string, owner: number): string {
    const volume = path.join(folder, name);
    mkdirSync(volume, { mode: 0o700 });
    chownSync(volume, owner, owner);
    return volume;
  }

  /** Another container: only the volume can be the same. */
  async function start(volume: string, user?: string, isReadOnly = false): Promise<void> {
    await container?.remove();
    const port = String(await freePort());
    const env = { HOST: '127.0.0.1', PORT: port };
    container = await Container.create({ image: 'relay', volume, env });
    if (isReadOnly) await container.makeReadOnly();
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    program = await container.start(image.config, {
      log: log(),
      ready: isReady,
      ...(user && { user }),
    });
  }

  /** The relay's own lines. */
  const lines = () =>
    (readFileSync(log(), 'utf8').match(/^\{.*"pid":\d+.*\}$/gm) ?? []).map(
      (line): { readonly pid: number; readonly msg: string } => JSON.parse(line),
    );
  const pid = () => lines().at(-1)?.pid ?? Number.NaN;

  function processes() {
    const all = runningProcesses();
    const root = all.find((one) => one.pid === pid())?.root ?? '/';
    assert.notEqual(root, '/');
    const inside = all.filter((one) => one.root === root);
    return inside.filter(({ command }) => !command.startsWith('buildah-chroot-exec '));
  }

  const isHealthy = () =>
    container.execute(...image.config.Healthcheck.Test.slice(1)).then(
      () => true,
      () => false,
    );

  /** As `docker stop` does: signals only what the image starts. */
  async function stop(volume: string): Promise<void> {
    process.kill(pid(), image.config.StopSignal);
    await waitFor({ what: 'the relay to stop', withinMs: maxStopMs }, () => !program.isRunning);
    assert.equal(lines().at(-1)?.msg, 'Stopped');
    assert.equal(existsSync(path.join(volume, 'postgres/postmaster.pid')), false);
  }

  it('is healthy while it runs, keeps its data in the volume, and shows no secret', async () => {
    const volume = newVolume('data', nodeUser);
    await start(volume);
    assert.equal(await isHealthy(), true);
    await container.execute('sh', '-c', `echo '${signingSecret}' | relay sources rotate main`);
    const created = await container.execute('relay', 'tokens', 'create', 'main', 'e2e', '--json');
    await stop(volume);
    assert.equal(await isHealthy(), false);

    await start(volume);
    const known = await container.execute('relay', 'tokens', 'list', '--json');
    assert.match(known, /"name": ?"e2e"/);
    const secrets = [
      signingSecret,
      JSON.parse(created).token,
      ...['secret.key', 'admin.token'].map((name) =>
        readFileSync(path.join(volume, name), 'utf8').trim(),
      ),
    ];
    const texts = [readFileSync(log(), 'utf8'), image.description, await container.describe()];
    assert.deepEqual(
      texts.filter((text) => secrets.some((secret) => text.includes(secret))),
      [],
    );
    assert.deepEqual(placesOfSecrets(processes(), pid(), secrets), []);
    await stop(volume);
  });

  // A chroot shows what the relay writes. It shares processes, network and capabilities with this
  // machine, so what `cap_drop` and `no-new-privileges` of compose.yaml forbid is not shown.
  it('runs on a read-only file system', async () => {
    const volume = newVolume('read-only', nodeUser);
    await start(volume, undefined, true);
    await assert.rejects(container.execute('touch', '/tmp/file'), /Read-only file system/);
    await stop(volume);
  });

  it('started as root, gives the volume to its user and continues as that', async () => {
    const volume = newVolume('root', 0);
    await start(volume, 'root');
    const names = readdirSync(volume);
    assert.ok(names.includes('secret.key'));
    assert.deepEqual(
      names.filter((name) => statSync(path.join(volume, name)).uid !== nodeUser),
      [],
    );
    const started = processes();
    assert.ok(started.length > 1);
    assert.deepEqual(
      started.filter(({ user, keepsRights }) => user !== nodeUser || !keepsRights),
      [],
    );
    await stop(volume);
  });
});
