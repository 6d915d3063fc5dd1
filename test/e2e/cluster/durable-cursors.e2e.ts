import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { outputOf } from '../support/executions.ts';
import { N8nApi, type Workflow } from '../support/n8n-api.ts';
import { addNodePackage, installN8n, type N8nProcess, startN8n } from '../support/n8n-server.ts';
import { installing } from '../support/open-world.ts';
import { addCredentials } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { inLine, ownNode } from '../support/workflows.ts';

/** n8n's durable poll cursors need all of them; without one, n8n's log says that they stay disabled. */
const durable = {
  N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
  N8N_SCHEDULER_ENABLED: 'true',
  N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
  N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
  N8N_LOG_LEVEL: 'debug',
};

const created = 'campaign_request.created';
const listed = 'screen.listed';
const rises = 'screen.availability_rises_above';

let userFolder: string;
let sandbox: Sandbox;
let n8n: N8nProcess;
let api: N8nApi;
let workflow: Workflow;
/** What must start the workflow, each once. */
const expected: string[] = [];

before(async () => {
  const install = await installN8n();
  userFolder = await mkdtemp(path.join(tmpdir(), 'n8n-'));
  sandbox = createSandbox({ screens: 700 });
  for (let count = 0; count < 1_500; count += 1) sandbox.campaignRequests.add();
  const { baseUrl } = await sandbox.listen();
  await addNodePackage(userFolder);
  n8n = await startN8n({ install, userFolder, env: durable });
  api = new N8nApi(n8n.url);
  await api.signIn();
  const credentials = await addCredentials(api, sandbox, baseUrl);
  const trigger = ownNode(
    'Poll',
    'screenAdvertisingPollingTrigger',
    credentials.screenAdvertisingApi,
    {
      pollTimes: { item: [{ mode: 'everyMinute' }] },
      authentication: 'apiKey',
      events: [created, listed, rises],
      share_pct: 99,
      from: '2027-03-01',
      to: '2027-03-31',
      screenFilters: {},
    },
  );
  workflow = await api.createWorkflow(inLine('Poll', trigger));
}, installing);

after(async () => {
  await n8n?.program.stop();
  await sandbox?.close();
  await rm(userFolder, { recursive: true, force: true });
});

const request = () => expected.push(sandbox.campaignRequests.add().id);

function screen(id: string): void {
  sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 100 });
  expected.push(id);
}

function rise(id: string): void {
  sandbox.screens.add({ id, ad_sov_pct: 100, used_sov_pct: 0 });
  expected.push(id);
}

/** What has started the workflow so far, in all its executions. */
async function found(): Promise<string[]> {
  const executions = await api.executions({ workflowId: workflow.id, status: 'success' });
  const whole = await Promise.all(executions.map(({ id }) => api.execution(id)));
  return whole.flatMap((one) =>
    outputOf(one, 'Poll').map(({ data }) => {
      const { id, screen_id } = data as { id?: string; screen_id?: string };
      return screen_id ?? id ?? '';
    }),
  );
}

async function everythingArrived(): Promise<void> {
  await waitFor({ what: 'the polls', withinMs: 420_000, everyMs: 5_000 }, async () => {
    const { length } = await found();
    return length >= expected.length;
  });
  assert.deepEqual((await found()).sort(), expected.toSorted());
}

const log = () => readFile(path.join(userFolder, 'n8n.log'), 'utf8');

test('durable poll cursors are on', async () => {
  assert.doesNotMatch(await log(), /durable poll cursors stay disabled/);
});

test('what happens between publishing and the first poll starts the workflow', {
  timeout: 900_000,
}, async () => {
  await api.publish(workflow);
  await waitFor(
    { what: 'the poll at publishing', withinMs: 300_000, everyMs: 1_000 },
    async () =>
      (await log()).includes('Poll trigger activated') || sandbox.journal.list().length > 0,
  );
  await waitFor({ what: 'its end', withinMs: 300_000, everyMs: 2_000 }, () => {
    const read = sandbox.journal.list().filter(({ path }) => path.includes('/availability'));
    return read.length > 600;
  });
  request();
  screen('scr_new');
  rise('scr_berlin_0001');
  await everythingArrived();
});

test('700 screens and 1,500 requests take several polls, and each change starts the workflow once', {
  timeout: 900_000,
}, async () => {
  for (const { id } of sandbox.screens
    .list()
    .filter(({ bookable }) => bookable)
    .slice(10, 40))
    rise(id);
  for (let count = 0; count < 60; count += 1) request();
  await everythingArrived();
  assert.doesNotMatch(await log(), /exceeded its timeout/);
});
