import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chownSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { killPostgres } from '../../relay/nothing-lost/postgres.ts';
import { run } from '../support/command.ts';
import { sizeOf, whyNoContainers } from '../support/containers.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';
import { nodeUser, openRelayImage, openSubscriber, type RelayImage } from './relay-image.ts';

const type = 'coupon.redeemed';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly cursor: string; readonly has_more: boolean };
}

describe('the image of the relay', { skip: whyNoContainers ?? false }, () => {
  let image: RelayImage;
  let sandbox: Sandbox;
  let subscriber: Awaited<ReturnType<typeof openSubscriber>>;
  let postgres: Postgres;
  let token = '';

  before(async () => {
    image = await openRelayImage();
    const { image: all, base } = await sizeOf('relay');
    say(`The image has ${all} MB, ${base} MB of them in its base`);
    postgres = await startPostgres(image.folder);
    sandbox = createSandbox();
    await sandbox.listen();
    subscriber = await openSubscriber();
  });

  after(async () => {
    await postgres?.program.stop();
    await image?.close();
    await sandbox?.close();
    subscriber?.close();
  });

  /** The last one that wrote into the log. */
  function killRelay(log: string): void {
    const pids = [...readFileSync(log, 'utf8').matchAll(/"pid":(\d+)/g)];
    process.kill(Number(pids.at(-1)?.[1]), 'SIGKILL');
  }

  async function call(url: string, method: string, resource: string, body?: unknown) {
    const response = await fetch(`${url}/api/v1${resource}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Page;
  }

  async function idsOf(url: string, list: string, filter = ''): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await call(url, 'GET', `${list}?limit=100${filter}${cursor}`);
      ids.push(...data.map(({ id }) => id));
      if (!pagination.has_more) return ids.sort();
      cursor = `&cursor=${pagination.cursor}`;
    }
  }

  const pendingOf = (url: string) => idsOf(url, '/deliveries', '&state=pending');

  /** Restores a backup of this volume into a new relay. Every event arrives from there. */
  async function move(
    from: string,
    to: string,
    expected: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const volume = image.newVolume(to);
    for (const file of ['secret.key', 'backup.gz']) {
      copyFileSync(path.join(from, file), path.join(volume, file));
      chownSync(path.join(volume, file), nodeUser, nodeUser);
    }
    const { container, url, start } = await image.open(volume, env);
    await container.execute('relay', 'restore', '/data/backup.gz');
    // Not before the deliveries were counted.
    subscriber.setUp(false);
    subscriber.arrived.clear();
    const program = await start();
    const events = await idsOf(url, '/events');
    assert.deepEqual(
      expected.filter((id) => !events.includes(id)),
      [],
    );
    assert.equal((await idsOf(url, '/subscriptions')).length, 1);
    const pending = await pendingOf(url);
    assert.ok(pending.length >= expected.length - 1, `${pending.length} pending`);
    subscriber.setUp(true);
    for (const id of pending) await call(url, 'POST', `/deliveries/${id}/retry`);
    await waitFor(
      {
        what: `${pending.length} restored events to arrive`,
        withinMs: 120_000,
        progress: () => subscriber.arrived.size,
      },
      () => subscriber.arrived.size === pending.length,
    );
    await program.stop();
  }

  it('says what it is, and holds no secret', () => {
    const { User, Volumes, Env, Labels } = image.config;
    assert.equal(User, 'node');
    assert.deepEqual(Object.keys(Volumes ?? {}), ['/data']);
    const names = Env.map((line) => line.split('=')[0]);
    assert.ok(names.includes('RELAY_DATA_DIR'), names.join());
    assert.ok(
      !names.some((name = '') => /SECRET|TOKEN|PASSWORD|DATABASE_URL/.test(name)),
      names.join(),
    );
    for (const label of ['title', 'description', 'source', 'licenses', 'version', 'revision']) {
      assert.ok(Labels[`org.opencontainers.image.${label}`], label);
    }
  });

  it('keeps every event, subscription and pending delivery through a power cut and two moves', async () => {
    const volume = image.newVolume('data');
    const relay = await image.open(volume);
    let program = await relay.start();
    assert.equal(await relay.isHealthy(), true);
    const { signingSecret } = sandbox.accesses[0];
    await relay.container.execute(
      'sh',
      '-c',
      `echo '${signingSecret}' | relay sources rotate main`,
    );
    const created = JSON.parse(
      await relay.container.execute('relay', 'tokens', 'create', 'main', 'e2e', '--json'),
    );
    token = created.token;
    await call(relay.url, 'PUT', '/subscriptions', { target_url: subscriber.url, events: [type] });
    const registration = sandbox.webhooks.add({ url: `${relay.url}/in/main` });
    await sandbox.fire(type);
    await waitFor(
      { what: 'the first event to arrive', withinMs: 60_000 },
      () => subscriber.arrived.size === 1,
    );

    subscriber.setUp(false);
    for (let event = 0; event < 20; event += 1) await sandbox.fire(type);
    const stored = () => idsOf(relay.url, '/events');
    await waitFor(
      { what: 'every event to be stored', withinMs: 60_000 },
      async () => (await stored()).length === 21,
    );
    say('Killing the container');
    killRelay(relay.log);
    // Processes of a chroot outlive their parent; in other containers, they end with it.
    killPostgres(volume);
    await program.ended();
    program = await relay.start();
    assert.equal((await stored()).length, 21);
    assert.equal((await idsOf(relay.url, '/subscriptions')).length, 1);
    assert.equal((await pendingOf(relay.url)).length, 20);

    say('Backing up while events arrive');
    let isOver = false;
    const load = (async () => {
      while (!isOver) await sandbox.fire(type);
    })();
    const before = await stored();
    await relay.container.execute('relay', 'backup', '/data/backup.gz');
    isOver = true;
    await load;
    sandbox.webhooks.remove(registration.id);
    await program.stop();
    assert.equal(await relay.isHealthy(), false);

    await move(volume, 'restored', before);
    const version = (folder: string) =>
      readFileSync(path.join(folder, 'postgres/PG_VERSION'), 'utf8').trim();
    say(`From PostgreSQL ${version(volume)} to ${version(image.folder)}`);
    assert.notEqual(version(volume), version(image.folder));
    const databaseUrl = `postgres://n8n@127.0.0.1:${postgres.port}/postgres`;
    await move(volume, 'managed', before, { DATABASE_URL: databaseUrl });
  });

  // A chroot shows what the relay writes. It shares processes, network and capabilities with this
  // machine, so what `cap_drop` and `no-new-privileges` of compose.yaml forbid is not shown.
  it('runs on a read-only file system', async () => {
    const relay = await image.open(image.newVolume('read-only'));
    await relay.container.makeReadOnly();
    await assert.rejects(relay.container.execute('touch', '/tmp/file'), /Read-only file system/);
    const program = await relay.start();
    await program.stop();
  });

  it('started as root, gives the volume to its user and continues as that', async () => {
    const volume = image.newVolume('root', 0);
    const relay = await image.open(volume);
    const program = await relay.start('root');
    assert.ok(readdirSync(volume).includes('secret.key'));
    for (const name of readdirSync(volume)) {
      assert.equal(statSync(path.join(volume, name)).uid, nodeUser, name);
    }
    const users = await run('ps', ['-A', '-o', 'uid=,args=']);
    const own = users.split('\n').filter((line) => /\/(?:usr\/local\/bin\/relay|app\/)/.test(line));
    assert.ok(own.length > 0);
    assert.deepEqual(
      own.filter((line) => !line.trim().startsWith(`${nodeUser} `)),
      [],
    );
    await program.stop();
  });
});
