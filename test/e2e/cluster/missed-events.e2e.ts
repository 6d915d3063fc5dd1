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
import { type Credential, N8nApi, type Workflow } from '../support/n8n-api.ts';
import { addNodePackage, installN8n, type N8nProcess, startN8n } from '../support/n8n-server.ts';
import { installing } from '../support/open-world.ts';
import { addCredentials } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { inLine, ownNode } from '../support/workflows.ts';

/*
 * Events while no workflow listened, on a real n8n whose clock these tests move, as they move those of
 * the service and of the relay: each test begins where the one before ended.
 */

const withinMs = 120_000;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

const created = 'campaign_request.created';
const rises = 'screen.availability_rises_above';
const everyMinute = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
const includesMissed = { options: { catchUp: true } };

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
let service: Credential;
let relayed: Credential;

interface Watched {
  readonly workflow: Workflow;
  /** The IDs that started each of its executions. */
  readonly executions: Map<string, readonly string[]>;
  /** How many of them the tests have expected so far. */
  expected: number;
}

const watch = (workflow: Workflow): Watched => ({ workflow, executions: new Map(), expected: 0 });

interface CopiedWorkflow extends Workflow {
  readonly connections: object;
  readonly staticData: object;
}

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
  const { screenAdvertisingApi } = await addCredentials(api, sandbox, baseUrl);
  assert.ok(screenAdvertisingApi);
  service = screenAdvertisingApi;
  const access = { baseUrl: relay.url, connectorKey };
  relayed = await api.createCredential('Relay', 'screenAdvertisingRelayApi', access);
  const polls = 'screenAdvertisingPollingTrigger';
  const triggers = {
    service: ownNode('Trigger', polls, service, {
      ...everyMinute,
      authentication: 'apiKey',
      events: [created],
    }),
    relay: ownNode('Trigger', polls, relayed, {
      ...everyMinute,
      authentication: 'relay',
      relayEvents: [created],
    }),
    webhook: {
      ...ownNode('Trigger', 'screenAdvertisingTrigger', relayed, {
        delivery: 'relay',
        events: [created],
      }),
      ...{ typeVersion: 1.1, webhookId: randomUUID() },
    },
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
async function happen(count: number, fields: IDataObject = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `cr_${randomUUID()}`);
  for (const id of ids) await sandbox.fire(created, { ...fields, id });
  return ids;
}

async function publish({ workflow: { id } }: Watched, changes: object = {}): Promise<void> {
  const { nodes, name, ...known } = await api.workflow(id);
  const changed = nodes.map((node) => ({
    ...node,
    parameters: { ...node.parameters, ...changes },
  }));
  const { versionId } = await api.rest<Workflow>('PATCH', `/workflows/${id}`, {
    ...{ name, nodes: changed },
    versionId: known.versionId,
  });
  await api.rest('POST', `/workflows/${id}/activate`, { versionId });
  await waitFor({ what: `"${name}" to be published`, withinMs }, async () => {
    const path = `/workflows/${id}/publication-status`;
    return (await api.rest<{ status: string }>('GET', path)).status === 'published';
  });
}

const unpublish = ({ workflow: { id } }: Watched) =>
  api.rest('POST', `/workflows/${id}/deactivate`);

const publishAll = async (changes?: object) => {
  for (const name of names) await publish(watched[name], changes);
};
const unpublishAll = async () => {
  for (const name of names) await unpublish(watched[name]);
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
    const { data } = await api.execution(id);
    const items = (data?.resultData?.runData?.Trigger ?? []).flatMap(
      (run) => run.data?.main?.[0] ?? [],
    );
    executions.set(
      id,
      items.map(({ json }) => String((json.data as IDataObject).id)),
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
  const [last = ''] = await happen(1, { industry: 'retail' });
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

test('unpublished for two days, with Include Missed Events: all of 3, and the 40 of before', async () => {
  await unpublishAll();
  const ids = await happen(3);
  await pass(2 * dayMs);
  await publishAll(includesMissed);
  assert.deepEqual(await startedOf([...ids, ...left]), { service: 43, relay: 43, webhook: 43 });
});

test('published, and n8n was off for two days: all of 3', async () => {
  await publishAll({ options: {} });
  assert.deepEqual(await startedOf([]), { service: 0, relay: 0, webhook: 0 });
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
    const { nodes, connections, staticData } = await api.rest<CopiedWorkflow>(
      'GET',
      `/workflows/${watched[name].workflow.id}`,
    );
    const workflow = await api.createWorkflow({
      ...{ name: `copy of ${name}`, settings: {}, connections, staticData },
      nodes: nodes.map((node) => ({ ...node, ...(node.webhookId && { webhookId: randomUUID() }) })),
    });
    copies[name] = watch(workflow);
    await publish(copies[name]);
  }
  assert.deepEqual(await startedOf(ids, { ...copies }), { service: 0, relay: 0, webhook: 0 });
  for (const one of Object.values(watched)) one.expected += 1;
  for (const one of Object.values(copies)) await unpublish(one);
  assert.deepEqual(await startedOf(ids), { service: 25, relay: 25, webhook: 25 });
});

test('another filter: of two, the one that both include', async () => {
  const { service } = watched;
  await publish(service, { filters: { industry: 'retail' } });
  assert.deepEqual(await startedOf([], { service }), { service: 0 });
  const ids = [
    ...(await happen(1, { industry: 'fitness' })),
    ...(await happen(1, { industry: 'retail' })),
  ];
  await publish(service, { filters: {} });
  assert.deepEqual(await startedOf(ids, { service }), { service: 1 });
});

test('published beside a poll: what that poll has read starts the new version, once', async () => {
  const { service } = watched;
  const ids = await happen(1);
  sandbox.faults.add({ fault: 'latency', ms: 10_000, path: '/campaign-requests', times: 1 });
  await pass(75 * secondMs);
  await waitFor(
    { what: 'the slow poll', withinMs },
    () => sandbox.faults.list()[0]?.triggered === 1,
  );
  await publish(service, includesMissed);
  assert.deepEqual(await startedOf(ids, { service }), { service: 1 });
});

test('a rolling period, polled daily for a week: 3 of 7 days', async () => {
  const id = 'scr_berlin_0001';
  const set = (available: number) =>
    sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 100 - available });
  const berlin = sandbox.screens
    .list()
    .filter(({ city, bookable }) => city === 'Berlin' && bookable);
  const polled = () =>
    waitFor({ what: 'the poll of the day', withinMs }, () => {
      const read = sandbox.journal.list().filter(({ path }) => path.includes('/availability'));
      return read.length === berlin.length;
    });
  await unpublishAll();
  // Half an hour after the poll of the day.
  await pass(dayMs - (now % dayMs) + 9.5 * 60 * minuteMs);
  set(0);
  sandbox.journal.clear();
  const workflow = await api.createWorkflow(
    inLine(
      'rolling',
      ownNode('Trigger', 'screenAdvertisingPollingTrigger', service, {
        pollTimes: { item: [{ mode: 'everyDay', hour: 9, minute: 0 }] },
        ...{ authentication: 'apiKey', events: [rises], share_pct: 10 },
        ...{ from: '={{ $today }}', to: '={{ $today.plus(7, "days") }}' },
        screenFilters: { city: 'Berlin' },
      }),
    ),
  );
  await publish(watch(workflow));
  await polled();
  const days: string[] = [];
  for (const available of [25, 5, 25, 25, 0, 11, 11]) {
    set(available);
    sandbox.journal.clear();
    await pass(dayMs);
    await polled();
    days.push(new Date(now).toISOString().slice(0, 10));
  }
  const executions = await waitFor({ what: 'the executions', withinMs }, async () => {
    const found = await api.executions({ workflowId: workflow.id, status: 'success' });
    return found.length >= 3 && found;
  });
  const items = await Promise.all(
    executions.map(async ({ id }) => {
      const { data } = await api.execution(id);
      return (data?.resultData?.runData?.Trigger ?? []).flatMap((run) =>
        (run.data?.main?.[0] ?? []).map(({ json }) => json.data as IDataObject),
      );
    }),
  );
  assert.deepEqual(
    items
      .flat()
      // Other screens are free on some days, too.
      .filter(({ screen_id }) => screen_id === id)
      .map(({ from, to }) => [from, to])
      .sort(),
    [0, 2, 5].map((nth) => [days[nth], dayAfter(days[nth], 7)]),
  );
});

const dayAfter = (day = '', days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
