import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { textsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { root } from '../structure/project.ts';
import { node, startProgram } from '../support/program.ts';
import { callList, recordsIn } from './support/lists.ts';

/** As in a project where this package is not installed. */
const without = (name: string) =>
  `import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    return name === '${name}' ? next(name + '/none', context) : next(name, context);
  } });`;

it('--with-sandbox without the sandbox installed says what to do', async () => {
  const hooks = `data:text/javascript,${encodeURIComponent(without('@screen-advertising/sandbox'))}`;
  const main = join(root, 'packages/mcp/src/main.ts');
  const args = ['--conditions=source', '--no-warnings', `--import=${hooks}`, main];
  expect(await startProgram(node, [...args, '--with-sandbox']).ended).toEqual({
    code: 1,
    output: '',
    errors:
      '--with-sandbox needs Node 22 or newer and the package @screen-advertising/sandbox. Install it next to this one.\n',
  });
});

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
    const list = await callList(client, 'list_screens', { city: 'Berlin', limit: 1 });
    expect(list).toMatchObject({ has_more: true });
    expect(recordsIn(list)).toMatchObject([{ city: 'Berlin' }]);
    await client.close();
  });
});
