import { mkdtemp, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
// Jest watches it from the start, not from within a test.
import '@screen-advertising/sandbox';
import { Client } from 'pg';
import { readDatabaseUrl } from '../../../../packages/relay/src/base/database.ts';
import { startSandbox } from '../../../../packages/relay/src/run/cli/serve.ts';
import { listen } from '../../../shared/support/loopback.ts';
import { root } from '../../../structure/project.ts';
import { node, startProgram } from '../../../support/program.ts';
import { command, startCommand } from '../../support/command.ts';
import { main, startRelay } from '../../support/relay-process.ts';
import { freshDatabase, postEvent, secretKey, send } from '../../support/running-relay.ts';

/** Starts the relay like a user, and resolves once it reports that it runs. */
async function begin(args: string[], environment: Readonly<Record<string, string>>) {
  const started = startCommand(args, { SANDBOX_PORT: '0', PORT: '0', ...environment });
  await started.shows('output', /./);
  return started;
}

const fromSource = ['--conditions=source', '--no-warnings'];
const keyPattern = /^ {2}(rly_[\w-]{43})\.(whsec_[\w+/]{43}=)$/m;
const lineOf = (output: string, name: string) =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';

describe('the first start', () => {
  it.each([
    ['in a container', 'relay'],
    ['without a terminal', 'main.ts'],
  ])('prints nothing secret %s, where its output is a log', async (_where, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'program-'));
    const relay = join(folder, name);
    await symlink(main, relay);
    const env = { DATABASE_URL: await freshDatabase(), RELAY_SECRET_KEY: secretKey, PORT: '0' };
    const program = startProgram(node, [...fromSource, relay], { env });
    const printed = await program.printed('relay tokens create main NAME');
    expect(printed).toMatch(/^Create a connector key:$/m);
    expect(printed).toContain('relay sign-in');
    expect(printed).not.toMatch(/rly_|whsec_|link=/);
    expect(lineOf(printed, 'Page')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await command(['--json', 'tokens', 'list'], env)).toMatchObject({ output: '[]\n' });
  });

  it('prints a connector key and a link that signs in on a terminal', async () => {
    const env = { DATABASE_URL: await freshDatabase(), RELAY_SECRET_KEY: secretKey, PORT: '0' };
    const line = [node, ...fromSource, main].join(' ');
    const terminal = startProgram('script', ['--quiet', '--command', line, '/dev/null'], { env });
    const printed = await terminal.printed('tokens create main NAME');
    expect(printed).toMatch(/^ {2}rly_[\w-]{43}\.whsec_/m);
    expect(printed).toMatch(/^Page +http:\S+[?]link=/m);
    const ingress = lineOf(printed.replaceAll('\r', ''), 'Ingress');
    await fetch(ingress, { method: 'POST', body: '{}' });
    const later = await terminal.printed('at main: forged');
    expect(later).toMatch(
      /^\d\d:\d\d:\d\d {2}warn: Event rejected {4}at main: forged, \d+ ms\r?$/m,
    );
    expect(later).not.toContain('"level"');
    terminal.terminate();
    await terminal.ended;
  });

  it('shows what to register, and a connector key once', async () => {
    const DATABASE_URL = await freshDatabase();
    const first = await begin([], { DATABASE_URL, PUBLIC_URL: 'https://relay.example.com' });
    expect(lineOf(first.printed.output, 'Ingress')).toBe('https://relay.example.com/in/main');
    expect(lineOf(first.printed.output, 'API')).toBe('https://relay.example.com/api/v1');
    expect(lineOf(first.printed.output, 'Page')).toMatch(/^https:\/\/relay\.example\.com\//);
    expect(first.printed.output).toContain('run relay sources rotate main < secret.txt');
    const [, token = ''] = keyPattern.exec(first.printed.output) ?? [];
    const [, url = ''] = /"url":"(http:[^"]+)"/.exec(first.printed.errors) ?? [];
    const me = await send(`${url}/api/v1/me`, 'GET', { authorization: `Bearer ${token}` });
    expect(me.body).toMatchObject({ name: 'first', source: 'main' });
    // The first signing secret is random, so the test cannot know it.
    const event = { id: '1', type: 'campaign.paid' };
    expect(await postEvent(url, event, { secret: 'main' })).toMatchObject({ status: 401 });
    expect(first.printed.errors).not.toContain(token);
    expect(await first.end()).toBe(0);

    const later = await begin(['start'], { DATABASE_URL });
    expect(lineOf(later.printed.output, 'Ingress')).toMatch(/\/in\/main$/);
    expect(later.printed.output).not.toMatch(keyPattern);
    expect(later.printed.output).toContain('run relay sources rotate main < secret.txt');
    expect(later.printed.output).toContain('run relay tokens create main NAME');
    expect(await later.end()).toBe(0);
  });

  it('stops asking for the signing secret once it is there', async () => {
    const DATABASE_URL = await freshDatabase();
    await (await begin([], { DATABASE_URL })).end();
    const given = 'signing-secret-of-the-access';
    const rotated = await command(['sources', 'rotate', 'main'], { DATABASE_URL }, given);
    expect(rotated).toMatchObject({ code: 0, errors: '' });
    const later = await begin([], { DATABASE_URL });
    expect(later.printed.output).not.toContain('Not registered yet?');
    expect(later.printed.output).not.toContain('sources rotate');
    expect(later.printed.output).toContain('run relay tokens create main NAME');
    await later.end();
  });

  it('of one of several processes creates and prints nothing', async () => {
    const DATABASE_URL = await freshDatabase();
    for (const RELAY_ROLE of ['ingress', 'sender']) {
      const one = startCommand(['start'], { DATABASE_URL, PORT: '0', RELAY_ROLE });
      await one.shows('errors', /./);
      expect([await one.end(), one.printed.output]).toEqual([0, '']);
    }
    const listed = await begin([], { DATABASE_URL });
    expect(listed.printed.output).toMatch(keyPattern);
    await listed.end();
  });
});

it('a relay whose database is lost before it prints its addresses runs on, and says so', async () => {
  const databaseUrl = await freshDatabase();
  const { host, port, database } = new Client(readDatabaseUrl(databaseUrl));
  const between = await listen(
    createServer((client) => {
      const server = connect(`${host}/.s.PGSQL.${port}`).on('error', () => client.destroy());
      client.on('close', () => server.destroy());
      client.pipe(server).pipe(client);
    }),
  );
  const DATABASE_URL = `postgres://relay@127.0.0.1:${between.port}/${database}`;
  const started = startCommand([], { DATABASE_URL, PORT: '0' });
  const [, url = ''] = await started.shows('errors', /"url":"(\S+?)".*"msg":"Listening"/);
  await between.close();
  await started.shows(
    'errors',
    /The relay runs, but could not print its addresses\. Restart it to print them\. If it then shows no connector key, create one with \\"tokens create\\"\./,
  );
  expect(started.printed.output).toBe('');
  expect(await fetch(`${url}/healthz`)).toMatchObject({ status: 200 });
});

it('a relay with a sandbox receives an event fired by the command that it prints, and stops the sandbox', async () => {
  const DATABASE_URL = await freshDatabase();
  const relay = startRelay(['start', '--with-sandbox'], {
    DATABASE_URL,
    RELAY_SECRET_KEY: secretKey,
    PORT: '0',
    SANDBOX_PORT: '0',
  });
  const output = await relay.printed('Stop with Ctrl-C.');
  const [sandbox, ingress] = [lineOf(output, 'Sandbox'), lineOf(output, 'Ingress')];
  expect(ingress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/in\/sandbox$/);
  const create = ['--json', 'tokens', 'create', 'sandbox', 'first'];
  const { token } = JSON.parse((await command(create, { DATABASE_URL })).output);
  const authorization = `Bearer ${token}`;
  // Loopback is allowed, so that subscribers can run on this machine.
  const subscribed = await send(
    new URL('/api/v1/subscriptions', ingress).href,
    'PUT',
    { authorization },
    { target_url: `${sandbox}/`, events: ['campaign_request.rejected'] },
  );
  expect(subscribed.status).toBe(201);
  const [, args = ''] = /^ {2}npx -y pnpm@12 run sandbox (fire .+)$/m.exec(output) ?? [];
  const fire = [...fromSource, 'packages/sandbox/src/cli/main.ts', ...args.split(' ')];
  expect(await startProgram(node, fire, { cwd: root }).ended).toMatchObject({ code: 0 });
  // A frozen clock waits for the current deliveries before it advances.
  await send(`${sandbox}/_sandbox/clock/freeze`, 'POST', {});
  await send(`${sandbox}/_sandbox/clock/advance`, 'POST', {}, { ms: 1 });
  const events = await send(new URL('/api/v1/events', ingress).href, 'GET', { authorization });
  expect(events.body.data).toMatchObject([{ type: 'campaign_request.rejected' }]);
  relay.terminate();
  expect(await relay.ended).toMatchObject({ code: 0 });
  await expect(fetch(sandbox)).rejects.toThrow('fetch failed');
});

it('the sandbox beside a relay names the port if it does not start', async () => {
  const taken = await listen(createServer());
  try {
    await expect(startSandbox(taken.port)).rejects.toThrow(
      `The sandbox did not start on port ${taken.port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
    );
  } finally {
    await taken.close();
  }
});
