import { describe, expect, it } from '@jest/globals';
import { run } from '../../../packages/relay/src/cli/run.ts';
import { freshDatabase } from '../support/database.ts';
import { secretKey } from '../support/running-relay.ts';

async function command(args: string[], environment: Record<string, string>, input = '') {
  let output = '';
  let errors = '';
  const stop = new AbortController();
  const code = await run(args, {
    write: (text) => {
      output += text;
      stop.abort();
    },
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => input,
    environment,
    stop: stop.signal,
  });
  return { code, output, errors };
}

describe('the command line', () => {
  it('adds a source and a token, and serves', async () => {
    const environment = {
      DATABASE_URL: await freshDatabase(),
      RELAY_SECRET_KEY: secretKey,
      PORT: '0',
    };
    const added = await command(
      ['sources', 'add', 'main', '--json'],
      environment,
      ' secret of the access\n',
    );
    expect(JSON.parse(added.output)).toMatchObject({ name: 'main' });
    const created = JSON.parse(
      (await command(['tokens', 'create', 'main', 'zap', '--json'], environment)).output,
    );
    expect(created.connector_key).toBe(`${created.token}.${created.signing_secret}`);
    const listed = await command(['tokens', 'list'], environment);
    expect(listed.output).toMatch(
      /^name {12}zap\nsource {10}main\ncreated_at {6}\S+Z\nrevoked_at {6}-\n$/,
    );
    const started = await command(['start'], {
      ...environment,
      PUBLIC_URL: 'https://relay.example.com/',
    });
    expect(started.output).toContain('Ingress  https://relay.example.com/in/main\n');
    expect(await command(['sources', 'add', 'main'], environment, 'x')).toMatchObject({
      code: 1,
      errors: 'The source "main" already exists. Rotate its secret, or choose another name.\n',
    });
    expect(await command(['tokens', 'rotate', 'main', 'other'], environment)).toMatchObject({
      code: 1,
      errors: 'The source "main" has no active token "other".\n',
    });
  });

  it.each([
    [['stop'], {}, 'Unknown command "stop".'],
    [[], { PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000".'],
    [
      [],
      { RELAY_RETENTION_DAYS: '0' },
      'RELAY_RETENTION_DAYS must be a whole number from 1 to 99999, not "0".',
    ],
    [[], { RELAY_ROLE: 'both' }, 'RELAY_ROLE must be one of ingress, sender, all, not "both".'],
    [
      [],
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of silent, error, warn, info, debug, not "loud".',
    ],
    [[], { SANDBOX_PORT: 'x' }, 'SANDBOX_PORT must be a whole number from 0 to 65535, not "x".'],
    [
      [],
      { PUBLIC_URL: 'relay' },
      'PUBLIC_URL must be an address such as https://relay.example.com, not "relay".',
    ],
  ])('%j with %j is refused', async (args, environment, message) => {
    const { code, errors } = await command(args, environment as Record<string, string>);
    expect([code, errors.split('\n')[0]]).toEqual([2, message]);
  });

  it('shows its commands', async () => {
    const { code, output } = await command(['--help'], {});
    expect([code, output]).toEqual([0, expect.stringContaining('tokens create SOURCE NAME')]);
  });
});
