import { describe, expect, it } from '@jest/globals';
import { accessVariables } from '@screen-advertising/core/platform';
import { relayVariables } from '@screen-advertising/core/relay';
import { readArguments } from '../../packages/mcp/src/arguments.ts';
import { read } from '../structure/project.ts';

const readme = read('packages/mcp/README.md');
const { name } = JSON.parse(read('packages/mcp/package.json')) as { name: string };

interface Server {
  readonly type?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Settings {
  readonly inputs?: readonly { readonly id: string; readonly password?: boolean }[];
  readonly mcpServers?: Readonly<Record<string, Server>>;
  readonly servers?: Readonly<Record<string, Server>>;
  readonly env?: Readonly<Record<string, string>>;
}

const snippets = [...readme.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']): Settings => JSON.parse(text),
);

describe('the set-up in the README', () => {
  it('has a snippet for each client', () => {
    const clients = ['Claude Desktop', 'Cursor', 'Claude Code', 'VS Code'];
    for (const client of clients) expect(readme).toMatch(new RegExp(`\\*\\*${client}\\*\\*`));
    expect(snippets.map((snippet) => Object.keys(snippet))).toEqual([
      ['mcpServers'],
      ['mcpServers'],
      ['inputs', 'servers'],
      ['env'],
    ]);
  });

  it('starts this package with its variables, and holds no secret', () => {
    const ofClients = snippets.slice(0, 3);
    expect(ofClients).toHaveLength(3);
    for (const { servers, mcpServers, inputs = [] } of ofClients) {
      const server = (servers ?? mcpServers)?.['screen-advertising'];
      const [yes, which, ...args] = server?.args ?? [];
      expect([server?.command, yes, which]).toEqual(['npx', '-y', name]);
      expect(readArguments(args)).toEqual({});
      const { baseUrl, apiKey } = accessVariables;
      expect(Object.keys(server?.env ?? {})).toEqual([baseUrl, apiKey]);
      const [asked] = inputs.map(({ id }) => `\${input:${id}}`);
      expect(['<API_KEY>', `\${${apiKey}}`, asked]).toContain(server?.env[apiKey]);
    }
  });

  it('names the variables of the relay, and holds no key', () => {
    const { baseUrl, connectorKey } = relayVariables;
    expect(snippets[3]?.env).toEqual({
      [baseUrl]: 'https://relay.example',
      [connectorKey]: '<CONNECTOR_KEY>',
    });
  });
});
