import { describe, expect, it } from '@jest/globals';
import { relayVariables } from '@screen-advertising/core/relay';
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
