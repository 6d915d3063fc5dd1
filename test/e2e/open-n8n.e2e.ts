import './support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventName } from '@screen-advertising/core';
import { commandsOf } from '../docs/commands/kinds.ts';
import { scriptOf } from '../docs/commands/script.ts';
import { freePort } from '../support/free-port.ts';
import { run } from './support/command.ts';
import { N8nApi } from './support/n8n-api.ts';
import { cache, root } from './support/paths.ts';
import { startProgram } from './support/program.ts';
import { runExample } from './support/run-example.ts';
import { webhookUrl } from './support/set-up.ts';
import { closeTerminals, typeCommand } from './support/terminal.ts';
import { waitFor } from './support/wait.ts';

const [command] = commandsOf('n8n to look around in');
const relayCommand = commandsOf('the relay').find(({ text }) => text.endsWith('--with-sandbox'));

describe(`${command?.text}`, () => {
  let ports: { N8N_PORT: string; SANDBOX_PORT: string };
  let temporary: string;
  let relayFolder: string;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'open-n8n-'));
    relayFolder = await mkdtemp(path.join(tmpdir(), 'open-n8n-relay-'));
    // Its PostgreSQL runs as another user than root, who must be able to enter.
    await chmod(relayFolder, 0o755);
    ports = { N8N_PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  });

  after(async () => {
    closeTerminals();
    const data = `n8n-${ports.N8N_PORT}-${ports.SANDBOX_PORT}`;
    for (const name of (await readdir(cache)).filter((name) => name.startsWith(data))) {
      await rm(path.join(cache, name), { recursive: true, force: true });
    }
    for (const folder of [temporary, relayFolder]) {
      await rm(folder, { recursive: true, force: true });
    }
  });

  /** Types the command, and waits until it says what is open. */
  async function open(settings: Readonly<Record<string, string>> = {}) {
    const { folder, line } = scriptOf(String(command?.text));
    const env = {
      ...process.env,
      ...ports,
      ...settings,
      TMPDIR: temporary,
      // It packs the node itself.
      PACKED_NODE: undefined,
    };
    const terminal = typeCommand(line, { cwd: path.join(root, folder), env });
    await terminal.shows('Stop with Ctrl-C.');
    const address = (name: string) =>
      new RegExp(`${name} +(\\S+)`).exec(terminal.printed())?.[1] ?? '';
    const api = new N8nApi(address('\n  n8n'));
    await api.signIn();
    return { terminal, api, sandbox: address('Sandbox') };
  }

  it('opens n8n with example workflows that succeed, and Ctrl-C ends all of it', async () => {
    const { terminal, api, sandbox } = await open();
    assert.equal((await fetch(`${sandbox}/`)).status, 200);
    const workflows = await api.workflows();
    assert.ok(workflows.length >= 3, `${workflows.length} workflows`);
    for (const { id } of workflows) {
      await runExample(api, await api.workflow(id), (event) => fire(sandbox, event));
    }

    terminal.signal('SIGINT');
    await terminal.ended;
    assert.deepEqual(await leftOvers(), []);
  });

  it('keeps its data when it runs again, and SIGTERM ends it', async () => {
    const { terminal, api } = await open();
    const names = (await api.workflows()).map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    const credentials = (await api.credentials()).map(({ name }) => name);
    assert.deepEqual(credentials, [...new Set(credentials)]);

    terminal.signal('SIGTERM');
    await terminal.ended;
    assert.deepEqual(await leftOvers(), []);
  });

  it('beside a relay opens workflows that subscribe to it when they are published', async () => {
    const settings = {
      PORT: String(await freePort()),
      RELAY_DATA_DIR: path.join(relayFolder, 'data'),
    };
    const { folder, line } = scriptOf(String(relayCommand?.text));
    const log = path.join(relayFolder, 'relay.log');
    const relay = await startProgram({
      name: 'relay',
      command: 'sh',
      args: ['-c', `exec ${line}`],
      cwd: path.join(root, folder),
      env: { ...process.env, ...settings, SANDBOX_PORT: ports.SANDBOX_PORT },
      log,
      ready: async () => (await readFile(log, 'utf8')).includes('Stop with Ctrl-C.'),
      readyWithinMs: 300_000,
    });
    try {
      const { terminal, api, sandbox } = await open(settings);
      const known = await api.workflows();
      const { id = '' } = known.find(({ name }) => name.startsWith('Welcome coupon')) ?? {};
      const workflow = await api.workflow(id);
      await api.publish(workflow, webhookUrl(api.url, workflow));
      // n8n responds at the webhook's address before the trigger has subscribed it.
      const list = scriptOf('npx -y pnpm@12 run relay subscriptions list');
      const cwd = path.join(root, list.folder);
      const env = { ...process.env, ...settings };
      await waitFor({ what: 'the subscription', withinMs: 300_000 }, async () =>
        (await run('sh', ['-c', list.line], { cwd, env })).includes(workflow.name),
      );
      await runExample(api, workflow, (event) => fire(sandbox, event));
      const coupons = await (await fetch(`${sandbox}/_sandbox/coupons`)).json();
      assert.match(JSON.stringify(coupons), /"WELCOME-/);

      terminal.signal('SIGINT');
      await terminal.ended;
    } finally {
      await relay.stop();
    }
    assert.deepEqual(await leftOvers(), []);
  });

  /** Processes that were started with these ports, and what is in the temporary folder. */
  async function leftOvers(): Promise<string[]> {
    const mine = `N8N_PORT=${ports.N8N_PORT}`;
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const environments = await Promise.all(
      processes.map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')),
    );
    return [
      ...processes.filter((_, index) => environments[index]?.split('\0').includes(mine)),
      // Node keeps what it compiled there, for the next time.
      ...(await readdir(temporary)).filter((name) => name !== 'node-compile-cache'),
    ];
  }
});

/** As the sandbox's page does. */
async function fire(sandbox: string, type: EventName): Promise<void> {
  const response = await fetch(new URL('/_sandbox/events', sandbox), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type }),
  });
  assert.equal(response.status, 201, await response.text());
}
