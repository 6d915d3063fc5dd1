import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createSandbox } from '@screen-advertising/sandbox';
import { run } from '../../support/launch.ts';
import type { Execution, NewWorkflow, Workflow } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { ended, outputOf } from '../support/run-example.ts';
import { credentialData } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { everyTenSeconds, inLine, ownNode } from '../support/workflows.ts';
import {
  bad,
  column,
  filesOf,
  good,
  isGood,
  itemsOf,
  numbers,
  padded,
  runsOf,
  workflowsOf,
} from './many-items.ts';

type Fields = Readonly<Record<string, unknown>>;

const withinMs = 300_000;
const clientCredentials = 'screenAdvertisingClientCredentialsApi';

describe('runs on a real n8n', { timeout: 1_200_000 }, () => {
  let world: World;

  before(async () => {
    world = await openWorld();
  }, installing);

  after(() => world?.close());

  it('a credential that is edited between two runs takes effect at once', async (t) => {
    const { api, sandbox, baseUrl } = world;
    const stored = { ...credentialData(sandbox, baseUrl)[clientCredentials] };
    const credential = await api.createCredential('Edited', clientCredentials, stored);
    const workflow = await api.createWorkflow(
      inLine(
        'Create a coupon',
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
        ownNode('Coupon', 'screenAdvertising', credential, {
          authentication: 'clientCredentials',
          resource: 'coupon',
          operation: 'create',
          discount_value: 10,
          lead_email: 'lead@example.com',
        }),
      ),
    );
    const run = () => runOnce(workflow);
    // As n8n's dialog does, which sends back the hidden token, too, as the mark that it got for it.
    const edit = async (changes: object) => {
      const { data } = await api.rest<{ data: object }>(
        'GET',
        `/credentials/${credential.id}?includeData=true`,
      );
      await api.updateCredential(credential, { ...data, ...changes });
    };
    const [first, ...others] = sandbox.accesses;
    const second = others[0] ?? first;

    sandbox.journal.clear();
    assert.equal((await run()).status, 'success');
    assert.deepEqual(calls(sandbox), [`token ${first.id}`, `coupon.create ${first.id}`]);

    sandbox.journal.clear();
    const { clientId, clientSecret } = second;
    await edit({ clientId, clientSecret });
    assert.equal((await run()).status, 'success');
    assert.deepEqual(calls(sandbox), [`token ${second.id}`, `coupon.create ${second.id}`]);

    sandbox.journal.clear();
    await edit({ clientId, clientSecret: 'another-secret' });
    const refused = await run();
    assert.equal(refused.data?.resultData?.error?.message, 'The credential "Edited" does not work');
    assert.ok(calls(sandbox).every((call) => call.startsWith('token')));

    const other = createSandbox();
    t.after(() => other.close());
    sandbox.journal.clear();
    await edit({ clientId, clientSecret, baseUrl: (await other.listen()).baseUrl });
    assert.equal((await run()).status, 'success');
    assert.deepEqual(calls(sandbox), []);
    assert.deepEqual(calls(other), [`token ${second.id}`, `coupon.create ${second.id}`]);
  });

  it('a poll that fails loses nothing, and the next ones continue', async () => {
    const { api, sandbox, credentials } = world;
    const credential = credentials.screenAdvertisingApi;
    assert.ok(credential);
    const path = '/campaign-requests';
    const workflow = await api.createWorkflow(
      inLine(
        'Poll',
        ownNode('Poll', 'screenAdvertisingPollingTrigger', credential, {
          pollTimes: everyTenSeconds,
          authentication: 'apiKey',
          events: ['campaign_request.created'],
        }),
      ),
    );
    sandbox.journal.clear();
    await api.publish(workflow);
    await waitFor({ what: 'the first poll', withinMs }, () => calls(sandbox).length > 0);
    const missed = sandbox.campaignRequests.add();
    sandbox.faults.add({ fault: 'status', status: 503, path });
    const [failed] = await executionsOf(workflow, 'error', 1);
    assert.match(String(failed?.data?.resultData?.error?.message), /not available \(503\)/);
    const later = sandbox.campaignRequests.add();
    sandbox.faults.clear();
    const [succeeded] = await executionsOf(workflow, 'success', 1);
    assert.ok(succeeded);
    assert.deepEqual(foundIds(succeeded).sort(), [missed.id, later.id].sort());
  });

  it('an agent at an MCP Server Trigger gets the one coupon of a lead, and hears which call made it', async () => {
    const { api, sandbox, credentials } = world;
    const credential = credentials.screenAdvertisingApi;
    assert.ok(credential);
    const trigger = {
      ...{ name: 'MCP', type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2 },
      ...{ webhookId: randomUUID(), parameters: { path: 'coupons' } },
    };
    const tool = ownNode('Create a coupon', 'screenAdvertisingTool', credential, {
      authentication: 'apiKey',
      resource: 'coupon',
      operation: 'create',
      discount_value: 10,
      lead_email: "={{ $fromAI('lead_email', '', 'string') }}",
    });
    const workflow = await api.createWorkflow({
      ...inLine('Coupons for agents', trigger, tool),
      connections: { [tool.name]: { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
    });
    const url = `${api.url}/mcp/coupons`;
    await api.publish(workflow, url);
    // A separate process: with the condition `source`, Node.js would load a dependency of the
    // client as TypeScript, which it refuses to.
    const agent = path.join(import.meta.dirname, 'agent-program.ts');
    const input = JSON.stringify({ lead_email: 'agent@example.com' });
    const records = JSON.parse(await run(process.execPath, [agent, url, input])) as Fields[];
    const made = sandbox.coupons.list().filter((one) => one.lead_email === 'agent@example.com');
    const codes = made.map((one) => one.code);
    assert.equal(codes.length, 1);
    assert.deepEqual(
      records.map(({ code, created, coupon_note }) => [code, created, coupon_note]),
      [
        [codes[0], true, undefined],
        [
          codes[0],
          false,
          'Nothing was created: the lead had this coupon before. Its status is active.',
        ],
      ],
    );
  });

  describe('200 items', () => {
    let service: ReturnType<typeof createSandbox>;
    let workflows: ReturnType<typeof workflowsOf>;

    before(async () => {
      // Neither the service nor the node waits for a rate limit.
      service = createSandbox({ rateLimit: { requests: 100_000 } });
      const { baseUrl } = await service.listen();
      const [{ apiKey }] = service.accesses;
      const data = { baseUrl, apiKey, rateLimit: 100_000 };
      workflows = workflowsOf(
        await world.api.createCredential('Unlimited', 'screenAdvertisingApi', data),
      );
    });

    beforeEach(() => service.reset());

    after(() => service?.close());

    const runNew = async (workflow: NewWorkflow) => {
      const execution = await runOnce(await world.api.createWorkflow(workflow));
      const error = execution.data?.resultData?.error?.message;
      assert.equal(execution.status, 'success', `${workflow.name}: ${error}`);
      return execution;
    };

    const screenOf = (n: number) => `scr_berlin_000${(n % 2) + 1}`;
    const missing = (n: number) =>
      `No screen has the ID "scr_missing_${padded(n)}", or it cannot be booked (404). The service says: "There is no screen scr_missing_${padded(n)} that can be booked." Check the ID, or choose the screen From List. Screen > Get Many returns the IDs of all screens that can be booked.`;
    const invalid = (n: number) =>
      `'Lead Email' must be an email address such as lead@example.com, not "nobody-${padded(n)}". Nothing was sent. Fix the field in this node, or the expression that fills it.`;

    it('leave by two outputs in order, and meet again in a Merge with their links', async () => {
      const execution = await runNew(workflows.errors);
      const created = itemsOf(execution, 'Create Coupon', 0);
      const failed = itemsOf(execution, 'Create Coupon', 1);
      assert.deepEqual(
        created.map(({ json: { code, lead_email }, pairedItem }) => [code, lead_email, pairedItem]),
        good.map((n) => [`ROW-${n}`, `lead-${padded(n)}@example.com`, { item: n - 1 }]),
      );
      assert.deepEqual(
        failed.map(({ json: { error }, pairedItem }) => [error, pairedItem]),
        bad.map((n) => [invalid(n), { item: n - 1 }]),
      );
      assert.deepEqual(column(itemsOf(execution, 'Row'), 'row'), [...good, ...bad]);
      assert.deepEqual(
        service.coupons.list().map(({ code }) => code),
        good.map((n) => `ROW-${n}`),
      );
    });

    it('stay in their place when some fail, and part at an If', async () => {
      const execution = await runNew(workflows.branches);
      const items = itemsOf(execution, 'Get Screen');
      assert.deepEqual(
        items.map(({ pairedItem }) => pairedItem),
        numbers.map((n) => ({ item: n - 1 })),
      );
      const found = itemsOf(execution, 'Found');
      const lost = itemsOf(execution, 'Lost');
      assert.deepEqual(
        found.map(({ json: { row, id } }) => [row, id]),
        good.map((n) => [n, screenOf(n)]),
      );
      assert.deepEqual(
        lost.map(({ json: { row, error } }) => [row, error]),
        bad.map((n) => [n, missing(n)]),
      );
    });

    it('in a Loop are done in order, and their files become one archive with a name each', async () => {
      const execution = await runNew(workflows.archive);
      assert.deepEqual(
        runsOf(execution, 'Create Landing Link').map(({ length }) => length),
        [60, 60, 60, 20],
      );
      assert.deepEqual(column(itemsOf(execution, 'Row'), 'row'), numbers);
      const names = numbers.map((n) => `spring-row${n}-qr-code.png`);
      const [unpacked = {}] = filesOf(itemsOf(execution, 'Unzip'));
      assert.deepEqual(Object.values(unpacked).sort(), names.sort());
    });

    it('of two branches meet in a Merge, with the file of each', async () => {
      const execution = await runNew(workflows.merge);
      const items = itemsOf(execution, 'Row');
      assert.deepEqual(column(items, 'row'), numbers);
      assert.deepEqual(
        filesOf(items),
        numbers.map((n) => ({
          ...(isGood(n) && { coupon: `ROW-${n}-qr-code.svg` }),
          link: `spring-row${n}-qr-code.svg`,
        })),
      );
    });

    it('come back from a sub-workflow in order, with its errors', async () => {
      const called = await world.api.createWorkflow(workflows.called);
      const execution = await runNew(workflows.calling(called));
      const items = itemsOf(execution, 'Row');
      assert.deepEqual(
        items.map(({ json: { row, id, error } }) => [row, id ?? error]),
        numbers.map((n) => [n, isGood(n) ? screenOf(n) : missing(n)]),
      );
    });
  });

  async function runOnce(workflow: Workflow): Promise<Execution> {
    return await ended(world.api, workflow, await world.api.run(workflow, 'Start'));
  }

  async function executionsOf(workflow: Workflow, status: string, count: number) {
    const { api } = world;
    const what = `${count} executions with ${status}`;
    const found = await waitFor({ what, withinMs, everyMs: 1_000 }, async () => {
      const all = await api.executions({ workflowId: workflow.id, status });
      return all.length >= count && all;
    });
    return await Promise.all(found.map(({ id }) => api.execution(id)));
  }
});

const calls = ({ journal }: Pick<World['sandbox'], 'journal'>) =>
  journal.list().map(({ operation, access }) => `${operation} ${access}`);

const foundIds = (execution: Execution) =>
  outputOf(execution, 'Poll').map(({ data }) => (data as { id: string }).id);
