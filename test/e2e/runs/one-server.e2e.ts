import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox } from '@screen-advertising/sandbox';
import { run } from '../../support/launch.ts';
import { Executions, outputOf } from '../support/executions.ts';
import type { Credential, Execution, Workflow } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { credentialData } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { everyTenSeconds, inLine, ownNode } from '../support/workflows.ts';

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
    const run = button(workflow);
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
    const path = '/campaign-requests';
    const workflow = await api.createWorkflow(
      inLine(
        'Poll',
        ownNode('Poll', 'screenAdvertisingPollingTrigger', credentials.screenAdvertisingApi, {
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
    const executions = new Executions(api, workflow);
    const [failed] = await executions.next(1, 'error');
    assert.match(String(failed?.data?.resultData?.error?.message), /not available \(503\)/);
    const later = sandbox.campaignRequests.add();
    sandbox.faults.clear();
    const [succeeded] = await executions.next(1, 'success');
    assert.ok(succeeded);
    const ids = outputOf(succeeded, 'Poll').map(({ data }) => (data as { id: string }).id);
    assert.deepEqual(ids.sort(), [missed.id, later.id].sort());
  });

  it('an agent at an MCP Server Trigger gets the one coupon of a lead, and hears which call made it', async () => {
    const { api, sandbox, credentials } = world;
    const trigger = {
      ...{ name: 'MCP', type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2 },
      ...{ webhookId: randomUUID(), parameters: { path: 'coupons' } },
    };
    const tool = ownNode(
      'Create a coupon',
      'screenAdvertisingTool',
      credentials.screenAdvertisingApi,
      {
        authentication: 'apiKey',
        resource: 'coupon',
        operation: 'create',
        discount_value: 10,
        lead_email: "={{ $fromAI('lead_email', '', 'string') }}",
      },
    );
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
    let credential: Credential;

    before(async () => {
      // Neither the service nor the node waits for a rate limit.
      service = createSandbox({ rateLimit: { requests: 100_000 } });
      const { baseUrl } = await service.listen();
      const [{ apiKey }] = service.accesses;
      const data = { baseUrl, apiKey, rateLimit: 100_000 };
      credential = await world.api.createCredential('Unlimited', 'screenAdvertisingApi', data);
    });

    after(() => service?.close());

    const own = (name: string, parameters: object) =>
      ownNode(name, 'screenAdvertising', credential, { authentication: 'apiKey', ...parameters });

    async function succeeds(
      line: ReturnType<typeof inLine>,
      connections: object,
    ): Promise<Execution> {
      const workflow = { ...line, connections: { ...line.connections, ...connections } };
      const execution = await button(await world.api.createWorkflow(workflow))();
      assert.equal(execution.status, 'success', execution.data?.resultData?.error?.message);
      return execution;
    }

    it('leave by two outputs in order, and meet again in a Merge with their links', async () => {
      const coupon = own('Create Coupon', {
        ...{ resource: 'coupon', operation: 'create', discount_type: 'percent' },
        ...{ discount_value: 10, lead_email: '={{ $json.email }}' },
        additionalFields: { code: "={{ 'ROW-' + $json.n }}" },
      });
      const execution = await succeeds(
        inLine(
          'Errors',
          ...rows,
          { ...coupon, onError: 'continueErrorOutput' },
          builtIn('Merge', 'merge', 3.2, { mode: 'append' }),
          row,
        ),
        { 'Create Coupon': { main: [[to('Merge')], [to('Merge', 1)]] } },
      );
      const created = itemsOf(execution, 'Create Coupon', 0);
      assert.deepEqual(
        created.map(({ json: { code, lead_email }, pairedItem }) => [code, lead_email, pairedItem]),
        good.map((n) => [`ROW-${n}`, emailOf(n), { item: n - 1 }]),
      );
      const failed = itemsOf(execution, 'Create Coupon', 1);
      assert.deepEqual(
        failed.map(({ json: { error }, pairedItem }) => [error, pairedItem]),
        bad.map((n) => [
          `'Lead Email' must be an email address such as lead@example.com, not "nobody-${n}". Nothing was sent. Fix the field in this node, or the expression that fills it.`,
          { item: n - 1 },
        ]),
      );
      assert.deepEqual(rowsOf(execution), [...good, ...bad]);
      assert.deepEqual(
        service.coupons.list().map(({ code }) => code),
        good.map((n) => `ROW-${n}`),
      );
    });

    it('in a Loop are done in order, and their files become one archive with a name each', async () => {
      const link = own('Create Landing Link', {
        ...{ resource: 'landingLink', operation: 'create', specifyFields: 'json' },
        fieldsJson: '={{ { utm_campaign: "spring", utm_content: "row" + $json.n } }}',
        options: { qr_code: 'png' },
      });
      const execution = await succeeds(
        inLine(
          'Archive',
          ...rows,
          builtIn('Loop', 'splitInBatches', 3, { batchSize: 60 }),
          builtIn('All', 'aggregate', 1, {
            aggregate: 'aggregateAllItemData',
            options: { includeBinaries: true },
          }),
          builtIn('Zip', 'compression', 1.1, {
            operation: 'compress',
            binaryPropertyName: "={{ Object.keys($binary).join(',') }}",
            fileName: 'links.zip',
            binaryPropertyOutput: 'data',
          }),
          builtIn('Unzip', 'compression', 1.1, {
            operation: 'decompress',
            binaryPropertyName: 'data',
            outputPrefix: 'file_',
          }),
          row,
          link,
        ),
        {
          Loop: { main: [[to('Row'), to('All')], [to('Create Landing Link')]] },
          'Create Landing Link': { main: [[to('Loop')]] },
          Unzip: { main: [] },
          Row: { main: [] },
        },
      );
      const runs = execution.data?.resultData?.runData?.['Create Landing Link'] ?? [];
      assert.deepEqual(
        runs.map(({ data }) => data?.main?.[0]?.length),
        [60, 60, 60, 20],
      );
      assert.deepEqual(rowsOf(execution), numbers);
      const [{ binary = {} } = {}] = itemsOf(execution, 'Unzip');
      const names = Object.values(binary).map(({ fileName }) => fileName);
      assert.deepEqual(names.sort(), numbers.map((n) => `spring-row${n}-qr-code.png`).sort());
    });
  });

  /** What the editor's button does; gives the execution once it has ended. */
  function button(workflow: Workflow): () => Promise<Execution> {
    const executions = new Executions(world.api, workflow);
    return async () => {
      await world.api.run(workflow, 'Start');
      const [execution] = await executions.next();
      assert.ok(execution);
      return execution;
    };
  }
});

const calls = ({ journal }: Pick<World['sandbox'], 'journal'>) =>
  journal.list().map(({ operation, access }) => `${operation} ${access}`);

const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
/** Every tenth cannot be used. */
const [good, bad] = [numbers.filter((n) => n % 10 !== 0), numbers.filter((n) => n % 10 === 0)];
const emailOf = (n: number) => (n % 10 === 0 ? `nobody-${n}` : `lead-${n}@example.com`);

const to = (node: string, index = 0) => ({ node, type: 'main', index });
const builtIn = (name: string, type: string, typeVersion: number, parameters: object = {}) => ({
  ...{ name, typeVersion, parameters },
  type: `n8n-nodes-base.${type}`,
});
const list = JSON.stringify({ rows: numbers.map((n) => ({ n, email: emailOf(n) })) });
const rows = [
  builtIn('Start', 'manualTrigger', 1),
  builtIn('List', 'set', 3.4, { mode: 'raw', jsonOutput: list }),
  builtIn('Rows', 'splitOut', 1, { fieldToSplitOut: 'rows' }),
];
/** Which row an item comes from, by n8n's links between items. */
const row = builtIn('Row', 'set', 3.4, {
  mode: 'raw',
  jsonOutput: "={{ { row: $('Rows').item.json.n } }}",
});

const rowsOf = (execution: Execution) => outputOf(execution, 'Row').map((one) => one.row);

const itemsOf = ({ data }: Execution, node: string, output = 0) =>
  (data?.resultData?.runData?.[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []);
