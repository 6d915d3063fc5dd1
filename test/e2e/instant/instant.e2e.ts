import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { Client } from 'pg';
import { freePort } from '../../support/free-port.ts';
import { openCollector } from '../support/collector.ts';
import { say } from '../support/machine.ts';
import { N8nApi, type Workflow } from '../support/n8n-api.ts';
import type { Postgres } from '../support/postgres.ts';
import { openQueueMode } from '../support/queue-mode.ts';
import { waitFor } from '../support/wait.ts';
import { instantWorkflow } from '../support/workflows.ts';

const paid = 'campaign.paid';
const redeemed = 'coupon.redeemed';

describe('workflows that start through a relay', { timeout: 1_800_000 }, () => {
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  after(() => scene?.close());

  describe('there is one subscription for each published workflow', () => {
    let workflow: Workflow;

    it('when it is published, renamed, and its events are changed', async () => {
      workflow = await scene.make('Coupons', [redeemed]);
      await scene.publish(workflow);
      await scene.settled();
      await change({ name: 'Redeemed coupons' });
      await change({ chosen: [paid, redeemed] });
      await change({ chosen: [paid] });
    });

    async function change({ name, chosen }: { name?: string; chosen?: EventName[] }) {
      const { api } = scene.world;
      const { versionId, nodes, ...known } = await api.workflow(workflow.id);
      const changed = nodes.map((node) =>
        node.name === 'Event' && chosen
          ? { ...node, parameters: { ...node.parameters, events: chosen } }
          : node,
      );
      await api.rest('PATCH', `/workflows/${workflow.id}`, {
        versionId,
        name: name ?? known.name,
        nodes: changed,
      });
      await scene.publish(workflow);
      await scene.settled();
    }

    it('when it is duplicated, and imported', async () => {
      const { api } = scene.world;
      const { nodes, ...known } = await api.workflow(workflow.id);
      const { connections, settings } = known as unknown as Record<string, unknown>;
      // As n8n's editor duplicates a workflow.
      const copies = nodes.map((node) =>
        node.webhookId === undefined ? node : { ...node, webhookId: randomUUID() },
      );
      const copy = { name: 'Copy', nodes: copies, connections, settings };
      await scene.publish(await api.createWorkflow(copy));
      await scene.settled();
      // A file keeps the ID of the webhook, which n8n gives to one workflow at a time.
      const imported = await api.createWorkflow({ ...copy, name: 'Imported', nodes });
      await assert.rejects(api.publish(imported), /webhook|conflict/i);
      await scene.settled();
      await scene.unpublish(workflow);
      await scene.publish(imported);
      await scene.settled();
    });

    it('and none when it is unpublished', async () => {
      for (const id of [...scene.published.keys()]) await scene.unpublish({ id });
      await scene.settled();
    });
  });

  it('one that is published while the relay is down is subscribed once the relay is back', async () => {
    const { relay } = scene.world;
    const workflow = await scene.make('Published while the relay is down', [redeemed]);
    await relay.stop();
    await scene.publish(workflow);
    await relay.start();
    await scene.settled();
  });
});

const withinMs = 120_000;

interface Published {
  readonly path: string;
  readonly events: readonly EventName[];
}

/** What is published, and what has to start with each event. */
type Scene = Awaited<ReturnType<typeof openScene>>;

/** A world whose clocks the tests move: those of the service and the relay. */
async function openScene() {
  const world = await openInstantWorld();
  const origin = `http://127.0.0.1:${world.portOf('main')}`;
  const published = new Map<string, Published>();
  /** What was unpublished, and the IDs of the events that it has missed since. */
  const unpublished = new Map<string, Pick<Published, 'events'> & { readonly missed: string[] }>();
  /** Each workflow by each event that has to start it. */
  const expected: string[] = [];

  async function make(name: string, events: readonly EventName[]): Promise<Workflow> {
    const { api, credential, collector } = world;
    return await api.createWorkflow(
      instantWorkflow({ name, events, credential, collector: collector.url }),
    );
  }

  async function publish({ id }: Pick<Workflow, 'id'>): Promise<void> {
    await catchUp();
    const workflow = await world.api.workflow(id);
    const trigger = workflow.nodes.find(({ name }) => name === 'Event');
    if (!trigger) throw new Error(`${workflow.name} has no trigger.`);
    const path = `/webhook/${trigger.webhookId}/webhook`;
    await world.api.publish(workflow, `${origin}${path}`);
    const { events } = trigger.parameters as { events: EventName[] };
    published.set(id, { path, events });
    // The subscription to its address continues where it has stopped minutes before.
    for (const event of unpublished.get(path)?.missed ?? []) expected.push(`${event} ${id}`);
    unpublished.delete(path);
  }

  async function unpublish({ id }: Pick<Workflow, 'id'>): Promise<void> {
    await world.api.rest('POST', `/workflows/${id}/deactivate`);
    const former = published.get(id);
    if (former) unpublished.set(former.path, { events: former.events, missed: [] });
    published.delete(id);
  }

  /** Both clocks, since the relay takes no signature from another time. */
  async function advance(ms: number): Promise<void> {
    await world.sandbox.clock.advance(ms);
    await world.relay.advance(ms);
  }

  /** To the time of n8n, which takes no signature from another time either. */
  const catchUp = () => advance(Math.max(0, Date.now() - world.sandbox.clock.now()));

  /** Returns the ID that the service gave the event. */
  async function happens(type: EventName): Promise<string> {
    const [delivery] = await world.sandbox.fire(type);
    const event = String(delivery?.eventId);
    for (const [workflow, { events }] of published) {
      if (events.includes(type)) expected.push(`${event} ${workflow}`);
    }
    for (const { events, missed } of unpublished.values()) {
      if (events.includes(type)) missed.push(event);
    }
    return event;
  }

  async function everythingStarted(): Promise<void> {
    const { effects } = world.collector;
    await waitFor(
      { what: 'the executions', withinMs, everyMs: 20, progress: () => effects.size },
      () =>
        expected.every(
          (key) =>
            (effects.get(key)?.length ?? 0) >= expected.filter((other) => other === key).length,
        ),
    );
    const started = [...effects].flatMap(([key, executions]) => executions.map(() => key));
    assert.deepEqual(started.sort(), [...expected].sort(), 'each workflow starts once');
  }

  /** One live subscription for each published workflow, and an event starts each of them once. */
  async function settled(): Promise<void> {
    const wanted = [...published.values()]
      .map(({ path, events }) => `${origin}${path} ${[...events].sort().join(' ')}`)
      .sort();
    // n8n reports a workflow as published before it has subscribed and stored the subscription.
    await waitFor({ what: 'n8n to publish', withinMs, everyMs: 20 }, isPublished);
    await waitFor({ what: `the subscriptions ${wanted}`, withinMs, everyMs: 20 }, async () =>
      isDeepStrictEqual(await world.relay.live(), wanted),
    );
    await catchUp();
    for (const type of ['campaign.paid', 'coupon.redeemed'] as const) await happens(type);
    await advance(0);
    await everythingStarted();
    assert.deepEqual(await world.relay.live(), wanted);
  }

  async function isPublished(): Promise<boolean> {
    for (const id of published.keys()) {
      const { status } = await world.api.rest<{ status: string }>(
        'GET',
        `/workflows/${id}/publication-status`,
      );
      if (status !== 'published') return false;
    }
    return true;
  }

  return { world, published, make, publish, unpublish, settled, close: () => world.close() };
}

/** n8n in queue mode, the relay before it, and the sandbox that delivers to the relay. */
async function openInstantWorld() {
  const n8n = await openQueueMode('main', 'worker');
  try {
    const sandbox = createSandbox({ clock: 'frozen' });
    n8n.closes(() => sandbox.close());
    const relay = await openInstantRelay({ postgres: n8n.postgres, sandbox });
    n8n.closes(() => relay.close());
    const collector = await openCollector();
    n8n.closes(() => collector.close());
    const own = `http://127.0.0.1:${n8n.portOf('main')}`;
    const address = { WEBHOOK_URL: `${own}/` };
    say('Starting n8n: a main process, then a worker');
    await n8n.start('main', address);
    const api = new N8nApi(own);
    await api.signIn();
    const access = { baseUrl: relay.url, connectorKey: relay.connectorKey };
    const [credential] = await Promise.all([
      api.createCredential('Relay', 'screenAdvertisingRelayApi', access),
      n8n.start('worker', address),
    ]);
    return {
      ...n8n,
      api,
      sandbox,
      relay,
      credential,
      collector,
    };
  } catch (error) {
    await n8n.close();
    throw error;
  }
}

interface InstantRelay {
  readonly url: string;
  readonly connectorKey: string;
  /** Moves the clock and attempts what falls due on the way, unless the relay is stopped. */
  advance(ms: number): Promise<void>;
  /** Stops listening at its address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The URLs that are delivered to, sorted, each with its events. */
  live(): Promise<string[]>;
  close(): Promise<void>;
}

/** A relay that can go away and come back, on the clock of the sandbox that delivers to it. */
async function openInstantRelay({
  postgres,
  sandbox,
}: {
  readonly postgres: Postgres;
  readonly sandbox: Sandbox;
}): Promise<InstantRelay> {
  const server = `postgres://n8n@127.0.0.1:${postgres.port}`;
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query('CREATE DATABASE relay');
  await client.end();
  const port = await freePort();
  const open = () =>
    createRelay({
      databaseUrl: `${server}/relay`,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      allowTargets: ['127.0.0.1'],
      internal: { clock: 'frozen', startAt: sandbox.clock.now(), random: () => 0 },
    });
  let relay = await open();
  let isOpen = true;
  const [{ signingSecret }] = sandbox.accesses;
  await relay.sources.add('main', signingSecret);
  const { connectorKey } = await relay.tokens.create('main', 'n8n');
  const { url } = await relay.listen(port);
  sandbox.webhooks.add({ url: `${url}/in/main` });
  return {
    url,
    connectorKey,
    advance: async (ms) => void (isOpen && (await relay.clock.advance(ms))),
    async stop() {
      isOpen = false;
      await relay.close();
    },
    async start() {
      relay = await open();
      isOpen = true;
      await relay.listen(port);
    },
    async live() {
      const { data } = await relay.operate('subscriptions.list', { limit: 200 });
      return data
        .filter(({ state }) => state === 'active')
        .map(({ target_url, events }) => `${target_url} ${events.join(' ')}`)
        .sort();
    },
    close: () => relay.close(),
  };
}
