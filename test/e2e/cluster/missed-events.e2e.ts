import '../support/end-with-children.ts';
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
import { everyTenSeconds, inLine, ownNode } from '../support/workflows.ts';

/*
 * Requests while no workflow polled. What starts it afterwards is in n8n/polling-trigger.missed; here
 * a real n8n says whether it publishes or starts, and keeps what the trigger stores.
 */

const withinMs = 120_000;
const created = 'campaign_request.created';

/** n8n's clock is ahead of the machine's, and with each signal by twelve minutes more. */
const pauseMs = 12 * 60_000;
const clock = `
  const { now } = Date;
  let aheadMs = Number(process.env.AHEAD_MS);
  Date.now = () => now() + aheadMs;
  process.on('SIGUSR2', () => { aheadMs += ${pauseMs}; });
`;

let userFolder: string;
let sandbox: Sandbox;
let n8n: N8nProcess;
let api: N8nApi;
let workflow: Workflow;
/** What has started the workflow so far. */
const expected: string[] = [];
/** What has not. */
const left: string[] = [];

async function start(port?: number, aheadMs = 0): Promise<void> {
  n8n = await startN8n({
    install: await installN8n(),
    userFolder,
    ...(port && { port }),
    env: {
      AHEAD_MS: String(aheadMs),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
    },
  });
}

before(async () => {
  userFolder = await mkdtemp(path.join(tmpdir(), 'n8n-'));
  sandbox = createSandbox({ screens: 20 });
  const { baseUrl } = await sandbox.listen();
  await addNodePackage(userFolder);
  await start();
  api = new N8nApi(n8n.url);
  await api.signIn();
  const { screenAdvertisingApi } = await addCredentials(api, sandbox, baseUrl);
  const poll = ownNode('Poll', 'screenAdvertisingPollingTrigger', screenAdvertisingApi, {
    pollTimes: everyTenSeconds,
    authentication: 'apiKey',
    events: [created],
  });
  workflow = await api.createWorkflow(inLine('Requests', poll));
}, installing);

after(async () => {
  await n8n?.program.stop();
  await sandbox?.close();
  await rm(userFolder, { recursive: true, force: true });
});

const request = () => sandbox.campaignRequests.add().id;

/** All that has started the workflow, once a new request has. */
async function started(): Promise<string[]> {
  const last = request();
  expected.push(last);
  return await waitFor({ what: `an execution with ${last}`, withinMs }, async () => {
    const executions = await api.executions({ workflowId: workflow.id, status: 'success' });
    const whole = await Promise.all(executions.map(({ id }) => api.execution(id)));
    const ids = whole.flatMap((one) =>
      outputOf(one, 'Poll').map(({ data }) => (data as { id: string }).id),
    );
    return ids.includes(last) && ids.sort();
  });
}

test('published for the first time, none of those before', async () => {
  request();
  await api.change(workflow.id);
  assert.deepEqual(await started(), expected);
});

test('unpublished for twelve minutes, none, and the log counts them', async () => {
  await api.unpublish(workflow.id);
  left.push(request(), request());
  process.kill(n8n.program.pid, 'SIGUSR2');
  await api.change(workflow.id);
  assert.deepEqual(await started(), expected.sort());
  const log = await readFile(path.join(userFolder, 'n8n.log'), 'utf8');
  assert.match(log, /"Requests" was unpublished for more than ten minutes\. .* start it: 2\./);
});

test('published, and n8n was off for as long: all', async () => {
  await n8n.program.stop();
  expected.push(request(), request(), request());
  await start(Number(new URL(n8n.url).port), 2 * pauseMs);
  assert.deepEqual(await started(), expected.sort());
});

test('published with Include Missed Events, what was left out, once', async () => {
  await api.change(workflow.id, ({ nodes }) => ({
    nodes: nodes.map((node) => ({
      ...node,
      parameters: { ...node.parameters, options: { catchUp: true } },
    })),
  }));
  expected.push(...left);
  assert.deepEqual(await started(), expected.sort());
});
