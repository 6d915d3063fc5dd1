import { describe, expect, it } from '@jest/globals';
import { accessVariables } from '@screen-advertising/core/platform';
import { relayVariables } from '@screen-advertising/core/relay';
import { readCommandLine } from '../../packages/mcp/src/run.ts';
import { environment } from '../cli/command.ts';
import { read } from '../structure/project.ts';
import { startServer } from './support/connect.ts';

const env = environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' });

/** The result of a start. */
async function ending(args: readonly string[], given: Readonly<Record<string, string>> = env) {
  const server = startServer(given, { args });
  const code = await server.ended;
  return { code, errors: server.errors(), output: String(server.output.read() ?? '') };
}

describe('a start that cannot work says what to do', () => {
  it.each([
    [['--hppt'], env, 'Unknown argument. Run with --help for usage.'],
    [['svc_secret'], env, 'Unknown argument. Run with --help for usage.'],
    [['--http', '8789'], env, 'Unknown argument. Run with --help for usage.'],
    [
      [],
      { ...env, [relayVariables.baseUrl]: 'https://relay.example' },
      'Set both SCREEN_ADVERTISING_RELAY_URL and SCREEN_ADVERTISING_CONNECTOR_KEY, or neither.',
    ],
    [
      [],
      {
        ...env,
        [relayVariables.baseUrl]: 'https://relay.example',
        [relayVariables.connectorKey]: 'rly_secret',
      },
      'The connector key has only the token. Copy the whole connector key again: the relay shows it once, when you create it.',
    ],
    [[], {}, 'Set SCREEN_ADVERTISING_BASE_URL to the address that ends in /api/v1.'],
  ])('%j', async (args, given, words) => {
    expect(await ending(args, given)).toEqual({ code: 1, errors: `${words}\n`, output: '' });
  });
});

describe('the program', () => {
  it('has a help text', async () => {
    const { code, output } = await ending(['--help'], {});
    expect(code).toBe(0);
    expect(output).toContain('--read-only     offers no tools that create or revoke');
    expect(output).toContain('SCREEN_ADVERTISING_CLIENT_SECRET');
    expect(output).toContain('SCREEN_ADVERTISING_CONNECTOR_KEY, for the events');
  });

  it('ends when its client disconnects', async () => {
    const server = startServer(env);
    server.input.end();
    server.input.destroy();
    expect(await server.ended).toBe(0);
  });
});

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
  it('starts this package with its variables, and holds no secret', () => {
    const ofClients = snippets.slice(0, 3);
    expect(ofClients).toHaveLength(3);
    for (const { servers, mcpServers, inputs = [] } of ofClients) {
      const server = (servers ?? mcpServers)?.['screen-advertising'];
      const [yes, which, ...args] = server?.args ?? [];
      expect([server?.command, yes, which]).toEqual(['npx', '-y', name]);
      expect(readCommandLine(args)).toEqual({});
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
