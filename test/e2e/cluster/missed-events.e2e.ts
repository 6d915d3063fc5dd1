import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { IDataObject } from 'n8n-workflow';
import { freePort } from '../../support/free-port.ts';
import { openRelayWorld, type RelayWorld } from '../relay/open-relay.ts';
import { outputOf } from '../support/executions.ts';
import { N8nApi, type Workflow } from '../support/n8n-api.ts';
import { addNodePackage, installN8n, type N8nProcess, startN8n } from '../support/n8n-server.ts';
import { installing } from '../support/open-world.ts';
import { addCredentials } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { inLine, ownNode, trigger } from '../support/workflows.ts';

/*
 * Events while no workflow listened, on a real n8n whose clock these tests move, as they move those of
 * the service and of the relay: each test begins where the one before ended.
 */

const withinMs = 120_000;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

const created = 'campaign_request.created';
const everyMinute = { pollTimes: { item: [{ mode: 'everyMinute' }] } };

/** A Monday. */
let now = Date.parse('2027-02-01T08:00:00Z');

let userFolder: string;
let sandbox: Sandbox;
let relays: RelayWorld;
let relay: Awaited<ReturnType<RelayWorld['openEmpty']>>;
let clockPort: number;
let port: number;
let n8n: N8nProcess;
let api: N8nApi;

interface Watched {
  readonly workflow: Workflow;
  /** The IDs that started each of its executions. */
  readonly executions: Map<string, readonly string[]>;
  /** How many of them the tests have expected so far. */
  expected: number;
}

const watch = (workflow: Workflow): Watched => ({ workflow, executions: new Map(), expected: 0 });

/** Requests that started nothing so far. */
let left: string[] = [];

type Name = 'service' | 'relay' | 'webhook';

const watched = {} as Record<Name, Watched>;
const names = ['service', 'relay', 'webhook'] as const;

async function start(): Promise<void> {
  n8n = await startN8n({
    install: await installN8n(),
    userFolder,
    port,
    preload: path.join(import.meta.dirname, '../support/moved-clock-program.ts'),
    env: {
      MOVED_CLOCK_PORT: String(clockPort),
      MOVED_CLOCK_STARTS_AT: String(now),
      WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      // Its other engine is an isolate, which has the clock of the machine.
      N8N_EXPRESSION_ENGINE: 'legacy',
      N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: String(365 * 24),
    },
  });
}

before(async () => {
  userFolder = await mkdtemp(path.join(tmpdir(), 'n8n-'));
  sandbox = createSandbox({ clock: 'frozen', startAt: now, screens: 20 });
  const { baseUrl } = await sandbox.listen();
  relays = await openRelayWorld();
  relay = await relays.openEmpty(now);
  const [{ signingSecret }] = sandbox.accesses;
  await relay.relay.sources.add('main', signingSecret);
  const { connectorKey } = await relay.relay.tokens.create('main', 'n8n');
  sandbox.webhooks.add({ url: `${relay.url}/in/main` });
  await addNodePackage(userFolder);
  clockPort = await freePort();
  port = await freePort();
  await start();
  api = new N8nApi(n8n.url);
  await api.signIn();
  const { screenAdvertisingApi: service } = await addCredentials(api, sandbox, baseUrl);
  const access = { baseUrl: relay.url, connectorKey };
  const relayed = await api.createCredential('Relay', 'screenAdvertisingRelayApi', access);
  const polls = 'screenAdvertisingPollingTrigger';
  const triggers = {
    service: ownNode('Event', polls, service, {
      ...everyMinute,
      authentication: 'apiKey',
      events: [created],
    }),
    relay: ownNode('Event', polls, relayed, {
      ...everyMinute,
      authentication: 'relay',
      relayEvents: [created],
    }),
    webhook: trigger(relayed, [created]),
  };
  for (const name of names) {
    const workflow = await api.createWorkflow(inLine(name, triggers[name]));
    watched[name] = watch(workflow);
  }
}, installing);

after(async () => {
  await n8n?.program.stop();
  await relays?.close();
  await sandbox?.close();
  await rm(userFolder, { recursive: true, force: true });
});

/** All three clocks. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await sandbox.clock.advance(ms);
  await relay.relay.clock.advance(ms);
  if (n8n.program.isRunning) await fetch(`http://127.0.0.1:${clockPort}/${now}`);
}

/** As many campaign requests as that, each of them an event for the relay, too. */
async function happen(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `cr_${randomUUID()}`);
  for (const id of ids) await sandbox.fire(created, { id });
  return ids;
}

const publishAll = async () => {
  for (const name of names) await api.change(watched[name].workflow.id);
};
const unpublishAll = async () => {
  for (const name of names) await api.unpublish(watched[name].workflow.id);
  // n8n responds before it has asked the relay.
  await waitFor({ what: 'the end of the subscription', withinMs }, async () => {
    const { data } = await relay.relay.operate('subscriptions.list', { limit: 200 });
    return data.every(({ state }) => state !== 'active');
  });
};

/** The IDs of everything that has started the workflow. */
async function started({ workflow, executions }: Watched): Promise<string[]> {
  const known = await api.executions({ workflowId: workflow.id, status: 'success' });
  for (const { id } of known.filter((one) => !executions.has(one.id))) {
    const items = outputOf(await api.execution(id), 'Event');
    executions.set(
      id,
      items.map(({ data }) => String((data as IDataObject).id)),
    );
  }
  return [...executions.values()].flat();
}

/**
 * How many of these have started each workflow. One more request, and a poll of it, show that
 * nothing else is on its way; whatever starts a workflow must be among them.
 */
async function startedOf(
  ids: readonly string[],
  workflows: Partial<Record<string, Watched>> = watched,
): Promise<Record<string, number>> {
  const [last = ''] = await happen(1);
  // n8n chooses the second of each minute.
  await pass(75 * secondMs);
  const counts: Record<string, number> = {};
  for (const [name, one] of Object.entries(workflows)) {
    if (!one) continue;
    const all = await waitFor({ what: `the last item of ${name}`, withinMs }, async () => {
      const found = await started(one);
      return found.includes(last) && found;
    });
    const found = all.filter((id) => ids.includes(id));
    counts[name] = found.length;
    assert.equal(new Set(found).size, found.length, `${name} starts once with each`);
    assert.equal(all.length, one.expected + found.length + 1, `${name} starts with nothing else`);
    one.expected = all.length;
  }
  return counts;
}

const log = () => readFile(path.join(userFolder, 'n8n.log'), 'utf8');

test('published for the first time, none of the 40 before', async () => {
  const ids = await happen(40);
  await publishAll();
  assert.deepEqual(await startedOf(ids), { service: 0, relay: 0, webhook: 0 });
});

test('unpublished for nine and a half minutes, all of 40', async () => {
  await unpublishAll();
  const ids = await happen(40);
  await pass(9.5 * minuteMs);
  await publishAll();
  assert.deepEqual(await startedOf(ids), { service: 40, relay: 40, webhook: 40 });
  assert.doesNotMatch(await log(), /unpublished for more than ten minutes/);
});

test('unpublished for twelve minutes, none of 40, and the log counts them for each', async () => {
  await unpublishAll();
  left = await happen(40);
  await pass(12 * minuteMs);
  await publishAll();
  assert.deepEqual(await startedOf(left), { service: 0, relay: 0, webhook: 0 });
  const lines = (await log()).matchAll(
    /of the workflow "(\w+)" was unpublished for more than ten minutes\. .* that do not start it: (\d+)\./g,
  );
  assert.deepEqual(
    [...lines].map(([, name, count]) => [name, count]),
    [
      ['service', '40'],
      ['relay', '40'],
      ['webhook', '40'],
    ],
  );
});

test('published, and n8n was off for two days: all of 3', async () => {
  await n8n.program.stop();
  const ids = await happen(3);
  await pass(2 * dayMs);
  await start();
  // The relay retries for three days, the last time a day after the one before. In steps, since n8n
  // takes no signature of another time.
  for (let step = 0; step < 144; step += 1) await pass(dayMs / 144);
  assert.deepEqual(await startedOf(ids), { service: 3, relay: 3, webhook: 3 });
});

test('a copy: none of 25, which the original starts with', async () => {
  const copies: Partial<Record<Name, Watched>> = {};
  const ids = await happen(25);
  for (const name of names) {
    const { nodes, connections, staticData } = await api.workflow(watched[name].workflow.id);
    const workflow = await api.createWorkflow({
      ...{ name: `copy of ${name}`, settings: {}, connections, staticData },
      nodes: nodes.map((node) => ({ ...node, ...(node.webhookId && { webhookId: randomUUID() }) })),
    });
    copies[name] = watch(workflow);
    await api.change(workflow.id);
  }
  assert.deepEqual(await startedOf(ids, { ...copies }), { service: 0, relay: 0, webhook: 0 });
  for (const one of Object.values(watched)) one.expected += 1;
  for (const { workflow } of Object.values(copies)) await api.unpublish(workflow.id);
  assert.deepEqual(await startedOf(ids), { service: 25, relay: 25, webhook: 25 });
});

test('published beside a poll, with Include Missed Events: what that poll has read and the 40 left out start the new version, once', async () => {
  const { service } = watched;
  const ids = [...left, ...(await happen(1))];
  sandbox.faults.add({ fault: 'latency', ms: 10_000, path: '/campaign-requests', times: 1 });
  await pass(75 * secondMs);
  await waitFor(
    { what: 'the slow poll', withinMs },
    () => sandbox.faults.list()[0]?.triggered === 1,
  );
  await api.change(service.workflow.id, ({ nodes }) => ({
    nodes: nodes.map((node) => ({
      ...node,
      parameters: { ...node.parameters, options: { catchUp: true } },
    })),
  }));
  assert.deepEqual(await startedOf(ids, { service }), { service: 41 });
});
