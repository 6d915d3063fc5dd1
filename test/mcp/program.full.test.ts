import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import { listRelayEvents } from '@screen-advertising/core/relay';
import { toolName } from '../../packages/mcp/src/tool.ts';
import { environment } from '../cli/command.ts';
import { textsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { start as startRelay } from '../relay/support/running-relay.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../sandbox/support/temporary-folder.ts';
import { root } from '../structure/project.ts';
import { exampleInput } from '../support/example-input.ts';
import { node, startProgram } from '../support/program.ts';
import { callTool, isOffered } from './support/call.ts';
import { relayEnvironment } from './support/relay-environment.ts';

describe('the MCP server as the documents start it', () => {
  it.each(textsOf('the MCP server'))('%s', async (text) => {
    const transport = new StdioClientTransport({
      command: 'sh',
      args: ['-c', `exec ${scriptOf(text).line}`],
      cwd: root,
      env: { PATH: `${dirname(node)}:${process.env.PATH}` },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { record } = await callTool(client, 'list_screens', { city: 'Berlin', limit: 1 });
    expect(record).toMatchObject({ data: [{ city: 'Berlin' }], pagination: { has_more: true } });
    await client.close();
  });
});

const inspector = join(
  root,
  'test/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const main = join(root, 'packages/mcp/src/main.ts');
const everything = [
  ...Object.values(operations),
  ...Object.values(tasks).filter(isOffered),
  listRelayEvents,
];
const home = temporaryFolder();

/** How the inspector starts the server. */
function target(env: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return [...pairs, node, '--conditions=source', '--no-warnings', main];
}

async function inspect(args: readonly string[]) {
  const options = { env: { HOME: home() } };
  const { code, output, errors } = await startProgram(node, [inspector, '--cli', ...args], options)
    .ended;
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output) as {
    readonly tools?: readonly unknown[];
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
  };
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

describe("the protocol's own inspector", () => {
  it('lists and calls every tool', async () => {
    const { baseUrl, full, call } = await start({ screens: 10 });
    const discount = { discount_type: 'percent', discount_value: 15 };
    await call('POST', '/coupons', {
      body: { code: 'SPRING-25', lead_email: 'spring@example.com', ...discount },
    });
    const { url, key } = await startRelay();
    const env = { ...environment(baseUrl, full), ...relayEnvironment(url, key) };
    const server = target(env);
    const { tools } = await inspect([...server, '--method', 'tools/list']);
    expect(tools).toHaveLength(everything.length);
    for (const task of everything) {
      const pairs = Object.entries(exampleInput(task)).map(
        ([name, value]) => `${name}=${written(value)}`,
      );
      const name = toolName(task.title);
      const method = ['--method', 'tools/call', '--tool-name', name];
      const input = pairs.flatMap((pair) => ['--tool-arg', pair]);
      const result = await inspect([...server, ...method, ...input]);
      expect({ name, isError: result.isError ?? false }).toEqual({ name, isError: false });
      expect(result.structuredContent).toBeDefined();
    }
  });
});
