import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { tokenVariable } from '../../../packages/mcp/src/arguments.ts';
import { run } from '../../../packages/mcp/src/run.ts';
import type { Credential, WorkflowNode } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { root } from '../support/paths.ts';
import { runExample } from '../support/run-example.ts';

const token = 'the-token-of-this-mcp-server';
/** The server over HTTP, with the access of the sandbox. Gives its address once it listens. */
function serve({ baseUrl, sandbox }: World, stop: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = run(['--http', '0'], {
      version: '1.2.3',
      env: {
        SCREEN_ADVERTISING_BASE_URL: baseUrl,
        SCREEN_ADVERTISING_API_KEY: sandbox.accesses[0].apiKey,
        [tokenVariable]: token,
      },
      input: new PassThrough(),
      output: new PassThrough(),
      writeError(text) {
        const [, url] = /Listening at (\S+)\.\s/.exec(text) ?? [];
        if (url) resolve(url);
      },
      stop,
    });
    ended.then((code) => reject(new Error(`The MCP server ended with ${code}.`)), reject);
  });
}

/** The node to paste, from the package's README. */
async function nodeOfReadme(): Promise<WorkflowNode> {
  const readme = await readFile(path.join(root, 'packages/mcp/README.md'), 'utf8');
  const snippets = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  const ofN8n = snippets.find((text) => text.includes('"nodes"'));
  const [node] = JSON.parse(ofN8n ?? '').nodes;
  return node;
}

describe("n8n's own MCP client", () => {
  const stop = new AbortController();
  let world: World;
  let url: string;
  let credential: Credential;

  before(async () => {
    world = await openWorld();
    url = await serve(world, stop.signal);
    credential = await world.api.createCredential('MCP server', 'httpBearerAuth', { token });
  }, installing);

  after(async () => {
    stop.abort();
    await world?.close();
  });

  const credentials = () => ({ httpBearerAuth: { id: credential.id, name: credential.name } });

  it('lists the tools, in the node that the README shows', async () => {
    const {
      type,
      typeVersion: version,
      parameters,
    } = (await nodeOfReadme()) as WorkflowNode & {
      readonly typeVersion: number;
    };
    const tools = await world.api.rest<{ readonly value: string }[]>(
      'POST',
      '/dynamic-node-parameters/options',
      {
        nodeTypeAndVersion: { name: type, version },
        path: 'parameters.includeTools',
        methodName: 'getTools',
        currentNodeParameters: { ...parameters, endpointUrl: url },
        credentials: credentials(),
      },
    );
    const names = tools.map(({ value }) => value);
    assert.equal(names.length, 13);
    assert.ok(names.includes('find_nearby_screens'), names.join(', '));
  });

  it('calls them in a workflow', async () => {
    const call = (name: string, tool: string, input: object, x: number) => ({
      id: name,
      name,
      type: '@n8n/n8n-nodes-langchain.mcpClient',
      typeVersion: 1.1,
      position: [x, 0],
      parameters: {
        serverTransport: 'httpStreamable',
        endpointUrl: url,
        authentication: 'bearerAuth',
        tool: { __rl: true, mode: 'id', value: tool },
        inputMode: 'json',
        jsonInput: JSON.stringify(input),
        options: {},
      },
      credentials: credentials(),
    });
    const start = 'Start';
    const lead = 'agent@screen-advertising.example';
    const coupon = { discount_type: 'percent', discount_value: 15, lead_email: lead };
    const workflow = await world.api.createWorkflow({
      name: 'An agent',
      settings: {},
      nodes: [
        {
          id: start,
          name: start,
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
        },
        call('List', 'list_screens', { city: 'Berlin', limit: 2 }, 200),
        call('Create', 'create_coupon', coupon, 400),
        call('Create again', 'create_coupon', coupon, 600),
      ],
      connections: {
        [start]: { main: [[{ node: 'List', type: 'main', index: 0 }]] },
        List: { main: [[{ node: 'Create', type: 'main', index: 0 }]] },
        Create: { main: [[{ node: 'Create again', type: 'main', index: 0 }]] },
      },
    });
    await runExample(world.api, workflow, async () => undefined);
    const created = world.sandbox
      .snapshot()
      .data.coupons.filter(([, one]) => one.lead_email === lead);
    assert.equal(created.length, 1);
  });
});
