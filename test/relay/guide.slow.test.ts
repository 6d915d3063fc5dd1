import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { commandsOf } from '../docs/commands/kinds.ts';
import { installed, scriptOf } from '../docs/commands/script.ts';
import { root } from '../structure/project.ts';
import { freePort } from '../support/free-port.ts';
import { node, type Program, startProgram } from '../support/program.ts';
import { freshDatabase, onDatabase, postEvent, send } from './support/running-relay.ts';

const start = 'npx -y pnpm@12 run relay';
const withSandbox = `${start} --with-sandbox`;
const binary = 'screen-advertising-relay ';
const signingSecret = 'secret-of-the-access';

/** A user who follows a guide in a shell, on a machine where the guide's ports may be taken. */
class Reader {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'guide-'));
  readonly #port: number;
  #data = 'data';
  #key = '';
  #relay: Program | undefined;

  constructor(port: number) {
    this.#port = port;
    // PostgreSQL does not run as root, and its user must be able to enter the folder.
    chmodSync(this.#folder, 0o755);
    writeFileSync(path.join(this.#folder, 'secret.txt'), `${signingSecret}\n`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get token(): string {
    return this.#key.split('.')[0] ?? '';
  }

  async start(text: string): Promise<string> {
    this.#relay = this.#run(`exec ${scriptOf(text).line}`);
    return this.#relay.printed('Stop with Ctrl-C.');
  }

  async createKey(text: string): Promise<void> {
    const [, key = ''] = /^connector_key +(rly_\S+\.whsec_\S+)$/m.exec(await this.type(text)) ?? [];
    expect(key).not.toBe('');
    this.#key = key;
  }

  async stop(): Promise<void> {
    this.#relay?.interrupt();
    const ended = await this.#relay?.ended;
    this.#relay = undefined;
    expect(ended?.code).toBe(0);
  }

  /** Runs the guide's commands and returns their output. */
  async type(text: string): Promise<string> {
    const lines = text
      .split('\n')
      .map((line) => (line.startsWith(start) ? scriptOf(line).line : line))
      .map((line) => (line.startsWith(binary) ? installed(line).line : line));
    const { code, output, errors } = await this.#run(
      lines
        .join('\n')
        .replaceAll('http://127.0.0.1:8788', this.url)
        .replaceAll('curl ', 'curl --silent --show-error --fail-with-body ')
        .replace(/\b(?=secret\.txt|relay\.tar\.gz)/, `${this.#folder}/`),
    ).ended;
    expect({ text, code, errors }).toEqual({ text, code: 0, errors: '' });
    return output;
  }

  get data(): string {
    return path.join(this.#folder, this.#data);
  }

  /** An empty data folder, as on a new machine. */
  moveToNewMachine(): void {
    this.#data = 'restored';
  }

  #run(line: string): Program {
    return startProgram('bash', ['-ec', line], {
      cwd: root,
      env: {
        PATH: `${path.dirname(node)}:${process.env.PATH}`,
        CONNECTOR_KEY: this.#key,
        RELAY_DATA_DIR: this.data,
        PORT: String(this.#port),
        SANDBOX_PORT: '0',
        LOG_LEVEL: 'error',
      },
    });
  }

  /** Delivers like the service, once the relay has its secret. */
  async deliver(id: string): Promise<number> {
    const event = { id, type: 'coupon.redeemed', data: {} };
    return (await postEvent(this.url, event, { secret: signingSecret })).status;
  }
}

const guides = ['docs/receive-events.md', 'docs/relay-page.md', 'docs/relay.md'];
const ofGuide = guides.flatMap((guide) =>
  commandsOf('the relay').flatMap(({ document, text }) => (document === guide ? [text] : [])),
);
const ofReadme = commandsOf('the relay')
  .filter(({ document }) => document === 'packages/relay/README.md')
  .map(({ text }) => text);

it('the relay is set up, subscribed to from code, backed up, restored, and gets new keys, as its guides say', async () => {
  const reader = new Reader(await freePort());
  const commands = [...ofGuide];
  const next = (pattern: RegExp) => {
    const text = commands.shift() ?? '';
    expect(text).toMatch(pattern);
    return text;
  };
  next(/^export RELAY_DATA_DIR=/);
  await reader.start(next(/run relay$/));
  expect(await reader.deliver('1')).toBe(401);
  await reader.type(next(/sources rotate main < /));
  // Another process notices within a second.
  while ((await reader.deliver('1')) === 401);
  await reader.createKey(next(/tokens create main my-n8n$/));
  const link = await reader.type(next(/relay sign-in$/));
  expect((await fetch(link.replace(/^\S+ +/, '').trim())).status).toBe(200);

  const byCommand = ofReadme.filter((text) => text.startsWith(binary));
  const fromCode = ofReadme.filter((text) => ![start, withSandbox, ...byCommand].includes(text));
  const answers = await reader.type(fromCode.join('\n'));
  expect(answers).toMatch(/"state":"active".*"id":"1"/s);
  const [id = ''] = /sub_[0-9a-f]{32}_\d+/.exec(answers) ?? [];
  expect(byCommand.length).toBeGreaterThan(3);
  const [event = ''] = /evt_[0-9a-f]{32}/.exec(answers) ?? [];
  await reader.type(`${binary}events redeliver ${event} --subscription ${id}`);
  const [delivery = ''] = /dlv_\w+/.exec(await reader.type(`${binary}deliveries list`)) ?? [];
  for (const text of byCommand) {
    await reader.type(text.replace('sub_…', id).replace('dlv_…', delivery));
  }

  const ofAlert = next(/relay subscriptions get sub_…$/);
  expect(await reader.type(ofAlert.replace('sub_…', id))).toMatch(/^state +active$/m);
  await reader.stop();
  await reader.type(next(/^tar -czf relay\.tar\.gz /));
  reader.moveToNewMachine();
  await reader.type(next(/^install -d /));
  await reader.type(next(/^tar -xpzf relay\.tar\.gz /));
  await reader.start(start);
  expect(await reader.deliver('1')).toBe(200);
  const events = await send(`${reader.url}/api/v1/events`, 'GET', {
    authorization: `Bearer ${reader.token}`,
  });
  expect(events.body.data).toMatchObject([{ payload: { id: '1' } }]);

  const copy = next(/relay copy --to "postgres:.*"$/);
  // A shell's commands end at what separates the settings of an address.
  const [target = ''] = (await freshDatabase()).split('&');
  const copied = await reader.type(copy.replace(/"postgres:.*"/, `"${target}"`));
  expect(copied).toMatch(/^event +1$/m);
  const { rows } = await onDatabase(target, (client) => client.query('SELECT name FROM source'));
  expect(rows).toEqual([{ name: 'main' }]);

  await reader.type(next(/sources rotate main < /));
  expect(await reader.type(next(/tokens rotate main my-n8n$/))).toContain('connector_key');
  expect(await reader.type(next(/tokens rotate main my-n8n --now$/))).toContain('connector_key');
  await reader.type(next(/tokens revoke main my-n8n$/));
  const keyFile = path.join(reader.data, 'secret.key');
  const oldKey = readFileSync(keyFile, 'utf8');
  const newKey = [
    next(/^export RELAY_NEW_KEY=/),
    next(/^export RELAY_SECRET_KEY=.*,/),
    next(/secrets renew$/),
    next(/^echo "\$RELAY_NEW_KEY" > /),
    next(/^unset RELAY_SECRET_KEY$/),
  ];
  await reader.stop();
  expect(await reader.type(newKey.join('\n'))).toMatch(/^renewed +3\n$/);
  expect(readFileSync(keyFile, 'utf8')).not.toBe(oldKey);
  await reader.start(start);
  expect(await reader.deliver('1')).toBe(200);
  expect(await reader.type(`${start} tokens list`)).toMatch(/my-n8n\n[\s\S]*revoked_at +\d{4}-/);
  await reader.stop();
  rmSync(keyFile);
  expect(await reader.type(next(/secrets reset$/))).toMatch(/^sources +main\ntokens +main /);
  await reader.start(start);
  expect(await reader.deliver('2')).toBe(401);
  expect(commands).toEqual([]);
  await reader.stop();
});
