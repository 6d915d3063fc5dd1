import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { textsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { root } from '../structure/project.ts';
import { node } from '../support/program.ts';
import { callTool } from './support/call.ts';

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
