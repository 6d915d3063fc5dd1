import { describe, expect, it } from '@jest/globals';
import { relayVariables } from '@screen-advertising/core/relay';
import { tokenVariable } from '../../packages/mcp/src/arguments.ts';
import { environment } from '../cli/command.ts';
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
    [['--http', '70000'], env, '--http takes a port: a whole number from 0 to 65535.'],
    [['--http', 'svc_secret'], env, '--http takes a port: a whole number from 0 to 65535.'],
    [['--http'], env, 'Unknown argument. Run with --help for usage.'],
    [
      ['--http', '0'],
      { ...env, [tokenVariable]: 'too short' },
      'Set SCREEN_ADVERTISING_MCP_TOKEN to a secret of at least 16 characters without spaces, such as what "openssl rand -hex 24" prints. Clients send it as their bearer token.',
    ],
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

  it('when the port is in use', async () => {
    const port = new URL(await startServer(env, { args: ['--http', '0'] }).address).port;
    const { errors } = await ending(['--http', port]);
    expect(errors).toBe('The port is in use. Choose another one.\n');
  });
});

describe('the program', () => {
  it('has a help text', async () => {
    const { code, output } = await ending(['--help', '--http', '0'], {});
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
