import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { command } from '../../support/command.ts';
import { freshDatabase, start } from '../../support/running-relay.ts';

type Row = [args: string[], environment: Record<string, string>, message: string];

function publicUrlRow(PUBLIC_URL: string, hint: string): Row {
  const message = 'PUBLIC_URL must be an address such as https://relay.example.com.';
  return [[], { PUBLIC_URL }, `${message}${hint}`];
}

describe('the command line', () => {
  it('adds a source and a token, and serves', async () => {
    const environment = { DATABASE_URL: await freshDatabase(), PORT: '0' };
    const added = await command(
      ['sources', 'add', 'main', '--json'],
      environment,
      ' secret-of-the-access\n',
    );
    expect(JSON.parse(added.output)).toMatchObject({ name: 'main' });
    const create = ['tokens', 'create', 'main', 'zap', '--rights', 'subscribe,read', '--json'];
    const created = JSON.parse((await command(create, environment)).output);
    expect(created.connector_key).toBe(`${created.token}.${created.signing_secret}`);
    const listed = await command(['tokens', 'list'], environment);
    expect(listed.output).toMatch(
      /^name {12}zap\nsource {10}main\nrights {10}subscribe, read\ncreated_at {6}\S+Z\nused_at {9}-\nrevoked_at {6}-\nprevious_until {2}-\n$/,
    );
    const started = await command(['start'], {
      ...environment,
      PUBLIC_URL: 'https://relay.example.com/',
    });
    expect(started.output).toContain('Ingress  https://relay.example.com/in/main\n');
    expect(await command(['sources', 'add', 'main'], environment, 'signing-secret')).toMatchObject({
      code: 1,
      errors: 'The source "main" already exists. Rotate its secret, or choose another name.\n',
    });
    expect(await command(['tokens', 'rotate', 'main', 'other'], environment)).toMatchObject({
      code: 1,
      errors: 'The source "main" has no active token "other".\n',
    });
  });

  it.each<Row>([
    [['stop'], {}, "error: unknown command 'stop'"],
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
    ...['relay', 'secret:at@relay.example.com', 'ftp://relay.example.com'].map((PUBLIC_URL) =>
      publicUrlRow(PUBLIC_URL, ''),
    ),
    publicUrlRow('https://me:secret@relay.example.com', ' Leave out the username and password.'),
    publicUrlRow('https://relay.example.com/?a=1', ' Leave out the part after "?".'),
    publicUrlRow('https://relay.example.com/?', ' Leave out the part after "?".'),
    publicUrlRow('https://relay.example.com/#a', ' Leave out the part after "#".'),
    [['--jsn'], {}, "error: unknown option '--jsn'"],
    [['start', '--port', '80'], {}, "error: unknown option '--port'"],
    [['start', 'it'], {}, "error: too many arguments for 'start'. Expected 0 arguments but got 1."],
  ])('%j with %j is refused', async (args, environment, message) => {
    const { code, errors } = await command(args, environment);
    expect([code, errors.split('\n')[0]]).toEqual([2, message]);
  });

  it.each([
    [['--jsn'], '--json'],
    [['--with-sandbo'], '--with-sandbox'],
    [['events', 'list', '--tpye', 'a'], '--type'],
    [['events', 'lsit'], 'list'],
  ])('%j names what is nearest', async (args, nearest) => {
    const { code, errors } = await command(args, {});
    expect([code, errors]).toEqual([2, expect.stringContaining(`(Did you mean ${nearest}?)`)]);
    expect(errors).toContain('\nRun screen-advertising-relay --help for usage.\n');
  });

  it('creates no token with a name that is empty, long, or looks like another', async () => {
    const environment = { DATABASE_URL: await freshDatabase() };
    await command(['sources', 'add', 'main'], environment, 'secret-of-the-access');
    for (const name of ['', ' ', ' zap', 'zap ', 'a\u001b[31m', 'a\nb', 'x'.repeat(201)]) {
      expect(await command(['tokens', 'create', 'main', name], environment)).toMatchObject({
        code: 1,
        output: '',
        errors:
          'The name of a token must have 1 to 200 characters: letters, digits, punctuation, and spaces between them, such as "zapier".\n',
      });
    }
    expect((await command(['tokens', 'list'], environment)).output).toBe('None.\n');
  });

  it('shows its commands, and the options of each', async () => {
    const { code, output } = await command(['--help'], {});
    expect([code, output]).toEqual([0, expect.stringContaining('  tokens create SOURCE NAME  ')]);
    const one = await command(['subscriptions', 'retry', '-h'], {});
    expect(one.output).toMatch(/--deliveries <list> .*--source <name> .*--json /s);
  });
});

async function signIn(environment: Record<string, string>, ...args: string[]) {
  const { code, output, errors } = await command(['sign-in', ...args], environment);
  return { code, output: output + errors };
}

describe('the command sign-in', () => {
  it('uses the address in the settings', async () => {
    const { databaseUrl: DATABASE_URL } = await start();
    for (const [environment, start] of [
      [{ PUBLIC_URL: 'https://relay.example.com/' }, 'https://relay.example.com/operator/'],
      [{ HOST: '0.0.0.0' }, 'http://localhost:8788/operator/'],
      [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000/operator/'],
    ] as const) {
      const { output } = await signIn({ DATABASE_URL, ...environment }, '--json');
      expect(JSON.parse(output).link.startsWith(start)).toBe(true);
    }
    expect(await signIn({ DATABASE_URL, RELAY_ADMIN_TOKEN: 'short' })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^RELAY_ADMIN_TOKEN must have at least 24 characters/),
    });
  });

  it("refuses a folder that is not the relay's, and creates nothing", async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'folder-'));
    const RELAY_DATA_DIR = path.join(parent, 'another');
    expect(await signIn({ RELAY_DATA_DIR })).toEqual({
      code: 1,
      output: `No relay has its data in ${RELAY_DATA_DIR}. Set RELAY_DATA_DIR to the folder that your relay names after "Data" when it starts, or DATABASE_URL to its database.\n`,
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});
