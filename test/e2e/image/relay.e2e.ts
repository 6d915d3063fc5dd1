import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { killPostgres } from '../../relay/nothing-lost/postgres.ts';
import { whyNoContainers } from '../support/containers.ts';
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
  let token = '';

  before(async () => {
    image = await openRelayImage();
    sandbox = createSandbox();
    await sandbox.listen();
    subscriber = await openSubscriber();
  });

  after(async () => {
    await image?.close();
    await sandbox?.close();
    subscriber?.close();
  });

  async function call(url: string, method: string, resource: string, body?: unknown) {
    const response = await fetch(`${url}/api/v1${resource}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Page;
  }

  /** IDs of all records of a list. */
  async function all(url: string, list: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await call(url, 'GET', `${list}?limit=100${cursor}`);
      ids.push(...data.map(({ id }) => id));
      if (!pagination.has_more) return ids;
      cursor = `&cursor=${pagination.cursor}`;
    }
  }

  const contentOf = async (url: string) => ({
    events: await all(url, '/events'),
    subscriptions: await all(url, '/subscriptions'),
  });

  const secretsOf = (volume: string) => [
    token,
    sandbox.accesses[0].signingSecret,
    ...['secret.key', 'admin.token'].map((name) =>
      readFileSync(path.join(volume, name), 'utf8').trim(),
    ),
  ];

  it('keeps every event and subscription through a power cut, and delivers what was waiting', async () => {
    const volume = image.newVolume('data');
    let relay = await image.open(volume);
    const program = await relay.start();
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
    sandbox.webhooks.add({ url: `${relay.url}/in/main` });
    await sandbox.fire(type);
    await waitFor(
      { what: 'the first event to arrive', withinMs: 60_000 },
      () => subscriber.arrived.size === 1,
    );

    subscriber.setUp(false);
    for (let event = 0; event < 20; event += 1) await sandbox.fire(type);
    await waitFor(
      { what: 'every event to be stored, and one more to be attempted', withinMs: 60_000 },
      async () =>
        (await all(relay.url, '/events')).length === 21 &&
        (await all(relay.url, '/deliveries')).length > 1,
    );
    const beforeKill = await contentOf(relay.url);
    assert.deepEqual([beforeKill.events.length, beforeKill.subscriptions.length], [21, 1]);
    say('Killing the container');
    process.kill(relay.pid(), 'SIGKILL');
    // Processes of a chroot outlive their parent; in other containers, they end with it.
    killPostgres(volume);
    await program.ended;
    // Another container: only the volume is the same.
    relay = await image.open(volume, { PORT: new URL(relay.url).port });
    await relay.start();
    assert.deepEqual(await contentOf(relay.url), beforeKill);
    subscriber.setUp(true);
    // Some were attempted before, and their retries may be minutes away.
    await waitFor(
      { what: 'the others to arrive', withinMs: 600_000, progress: () => subscriber.arrived.size },
      () => subscriber.arrived.size === 21,
    );

    assert.deepEqual(await relay.placesOf(secretsOf(volume)), []);
    await relay.stop();
    assert.equal(await relay.isHealthy(), false);
  });

  // A chroot shows what the relay writes. It shares processes, network and capabilities with this
  // machine, so what `cap_drop` and `no-new-privileges` of compose.yaml forbid is not shown.
  it('runs on a read-only file system', async () => {
    const relay = await image.open(image.newVolume('read-only'));
    await relay.container.makeReadOnly();
    await assert.rejects(relay.container.execute('touch', '/tmp/file'), /Read-only file system/);
    await relay.start();
    await relay.stop();
  });

  it('started as root, gives the volume to its user and continues as that', async () => {
    const volume = image.newVolume('root', 0);
    const relay = await image.open(volume);
    await relay.start('root');
    assert.ok(readdirSync(volume).includes('secret.key'));
    for (const name of readdirSync(volume)) {
      assert.equal(statSync(path.join(volume, name)).uid, nodeUser, name);
    }
    const processes = relay.processes();
    assert.ok(processes.length > 1);
    assert.deepEqual(
      processes.filter(({ user, keepsRights }) => user !== nodeUser || !keepsRights),
      [],
    );
    await relay.stop();
  });
});
