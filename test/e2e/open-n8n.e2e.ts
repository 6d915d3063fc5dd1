import './support/end-with-children.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { killPrograms } from '../support/launch.ts';
import { N8nApi } from './support/n8n-api.ts';
import { cache, root } from './support/paths.ts';
import { typeCommand } from './support/program.ts';
import { runExample } from './support/run-example.ts';

const command = 'npx -y pnpm@12 run n8n';

describe(command, () => {
  let ports: { N8N_PORT: string; SANDBOX_PORT: string };
  let temporary: string;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'open-n8n-'));
    ports = { N8N_PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
  });

  after(async () => {
    killPrograms();
    const data = `n8n-${ports.N8N_PORT}-${ports.SANDBOX_PORT}`;
    for (const name of (await readdir(cache)).filter((name) => name.startsWith(data))) {
      await rm(path.join(cache, name), { recursive: true, force: true });
    }
    await rm(temporary, { recursive: true, force: true });
  });

  it('opens n8n with example workflows that succeed, and SIGTERM ends all of it', async () => {
    // It packs the node itself.
    const env = { ...process.env, ...ports, TMPDIR: temporary, PACKED_NODE: undefined };
    const terminal = typeCommand(command, { cwd: root, env });
    await terminal.printed('Stop with Ctrl-C.');
    const address = (name: string) => new RegExp(`${name} +(\\S+)`).exec(terminal.text)?.[1] ?? '';
    const api = new N8nApi(address('\n  n8n'));
    await api.signIn();
    const workflows = await api.workflows();
    assert.ok(workflows.length >= 3, `${workflows.length} workflows`);
    const { id = '' } = workflows.find(({ name }) => name.startsWith('Welcome coupon')) ?? {};
    await runExample(api, await api.workflow(id), async (type) => {
      const response = await fetch(new URL('/_sandbox/events', address('Sandbox')), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type }),
      });
      assert.equal(response.status, 201, await response.text());
    });

    terminal.signal('SIGTERM');
    await terminal.ended;
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
