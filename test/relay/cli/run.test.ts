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
      errors: 'There is a source "main" already. Rotate its secret, or choose another name.\n',
    });
    expect(await command(['tokens', 'rotate', 'main', 'other'], environment)).toMatchObject({
      code: 1,
      errors: 'The source "main" has no token "other" that works.\n',
    });
  });

  it.each([
    [['stop'], {}, '"stop" is not understood.'],
    [[], { PORT: '70000' }, 'PORT takes a whole number from 0 to 65535; "70000" came.'],
    [
      [],
      { RELAY_KEEP_DAYS: '0' },
      'RELAY_KEEP_DAYS takes a whole number from 1 to 99999; "0" came.',
    ],
    [[], { RELAY_ROLE: 'both' }, 'RELAY_ROLE is ingress, sender, all; "both" is none of them.'],
    [
      [],
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL is silent, error, warn, info, debug; "loud" is none of them.',
    ],
    [[], { SANDBOX_PORT: 'x' }, 'SANDBOX_PORT takes a whole number from 0 to 65535; "x" came.'],
    [
      [],
      { PUBLIC_URL: 'relay' },
      'PUBLIC_URL takes an address such as https://relay.example.com; "relay" came.',
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
