import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { killPostgres } from '../../relay/nothing-lost/postgres.ts';
import { whyNoContainers } from '../support/containers.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';
import { nodeUser, openRelayImage, openSubscriber, type RelayImage } from './relay-image.ts';

const type = 'coupon.redeemed';

interface Entry {
  readonly id: string;
  /** Of a delivery. */
  readonly attempts?: readonly unknown[];
}

interface Page {
  readonly data: readonly Entry[];
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

  async function all(url: string, list: string, filter = ''): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await call(url, 'GET', `${list}?limit=100${filter}${cursor}`);
      entries.push(...data);
      if (!pagination.has_more) return entries;
      cursor = `&cursor=${pagination.cursor}`;
    }
  }

  const pendingOf = (url: string) => all(url, '/deliveries', '&state=pending');

  const contentOf = async (url: string) => ({
    events: await all(url, '/events'),
    subscriptions: await all(url, '/subscriptions'),
    pending: await pendingOf(url),
  });
  type Content = Awaited<ReturnType<typeof contentOf>>;

  /** What of the expected content is missing. */
  function missingFrom(content: Content, expected: Content): string[] {
    const missing = (list: keyof Content, isSame: (entry: Entry, before: Entry) => boolean) =>
      expected[list]
        .filter((before) => !content[list].some((entry) => isSame(entry, before)))
        .map(({ id }) => `${list} ${id}`);
    const hasId = (entry: Entry, { id }: Entry) => entry.id === id;
    return [
      ...missing('events', hasId),
      ...missing('subscriptions', hasId),
      // It may have been attempted again since.
      ...missing('pending', ({ id, attempts = [] }, before) =>
        isDeepStrictEqual(
          { id, attempts: attempts.slice(0, before.attempts?.length) },
          { id: before.id, attempts: before.attempts },
        ),
      ),
    ];
  }

  const secretsOf = (volume: string) => [
    token,
    sandbox.accesses[0].signingSecret,
    ...['secret.key', 'admin.token'].map((name) =>
      readFileSync(path.join(volume, name), 'utf8').trim(),
    ),
  ];

  it('keeps every event, subscription and pending delivery through a power cut', async () => {
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
      { what: 'every event to be stored, and one to be attempted', withinMs: 60_000 },
      async () => {
        const { events, pending } = await contentOf(relay.url);
        return events.length === 21 && pending.some(({ attempts = [] }) => attempts.length > 0);
      },
    );
    const beforeKill = await contentOf(relay.url);
    assert.deepEqual([beforeKill.subscriptions.length, beforeKill.pending.length], [1, 20]);
    say('Killing the container');
    process.kill(relay.pid(), 'SIGKILL');
    // Processes of a chroot outlive their parent; in other containers, they end with it.
    killPostgres(volume);
    await program.ended;
    // Another container: only the volume is the same.
    relay = await image.open(volume, { PORT: new URL(relay.url).port });
    await relay.start();
    assert.deepEqual(missingFrom(await contentOf(relay.url), beforeKill), []);

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
