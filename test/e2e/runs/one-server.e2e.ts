import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox } from '@screen-advertising/sandbox';
import type { Execution, Workflow } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { run } from '../support/program.ts';
import { ended, outputOf } from '../support/run-example.ts';
import { credentialData } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { inLine, ownNode } from '../support/workflows.ts';

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
          pollTimes: { item: [{ mode: 'everyMinute' }] },
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
