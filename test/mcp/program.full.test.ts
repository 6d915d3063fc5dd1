import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { environment } from '../cli/command.ts';
import { textsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { temporaryFolder } from '../sandbox/support/temporary-folder.ts';
import { root } from '../structure/project.ts';
import { exampleInput } from '../support/example-input.ts';
import { node, startProgram } from '../support/program.ts';
import { callTool, isOffered } from './support/call.ts';

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
const offered = [...Object.values(operations), ...Object.values(compoundOperations)].filter(
  isOffered,
);
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
  it('lists the tools, and calls one with texts and numbers', async () => {
    const { baseUrl, full } = await start({ screens: 10 });
    const server = target(environment(baseUrl, full));
    const { tools } = await inspect([...server, '--method', 'tools/list']);
    expect(tools).toHaveLength(offered.length);
    const input = Object.entries(exampleInput(operations['coupon.create']));
    const args = input.flatMap(([name, value]) => ['--tool-arg', `${name}=${written(value)}`]);
    const method = ['--method', 'tools/call', '--tool-name', 'create_coupon'];
    const { isError = false, structuredContent } = await inspect([...server, ...method, ...args]);
    expect({ isError, structuredContent }).toMatchObject({
      isError: false,
      structuredContent: { lead_email: expect.any(String), status: 'active' },
    });
  });
});
