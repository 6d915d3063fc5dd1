import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startSandbox } from '../../../packages/relay/src/cli/sandbox-process.ts';
import { listen } from '../../shared/support/loopback.ts';
import { root } from '../../structure/project.ts';
import { node, startProgram } from '../../support/program.ts';
import { freshDatabase } from '../support/database.ts';
import { secretKey, send } from '../support/running-relay.ts';

const fromSource = ['--conditions=source', '--no-warnings'];
const main = 'packages/relay/src/cli/main.ts';
const sandboxMain = join(root, 'packages/sandbox/src/cli/main.ts');

describe('a relay with a sandbox', () => {
  it('receives an event fired by the command that it prints, and stops the sandbox', async () => {
    const relay = startProgram(node, [...fromSource, main, 'start', '--with-sandbox'], {
      cwd: root,
      env: {
        DATABASE_URL: await freshDatabase(),
        RELAY_SECRET_KEY: secretKey,
        PORT: '0',
        SANDBOX_PORT: '0',
      },
    });
    const output = await relay.printed('Stop with Ctrl-C.');
    const lineOf = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
    const [sandbox, ingress] = [lineOf('Sandbox'), lineOf('Ingress')];
    expect(ingress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/in\/sandbox$/);
    const [, token] = /^ {2}(rly_[\w-]{43})\.whsec_/m.exec(output) ?? [];
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
});

describe('the sandbox beside a relay', () => {
  it('names the port if it does not start', async () => {
    const taken = await listen(createServer());
    try {
      await expect(startSandbox(taken.port, sandboxMain)).rejects.toThrow(
        `The sandbox did not start on port ${taken.port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
      );
    } finally {
      await taken.close();
    }
  });

  it('reports a rejected request', async () => {
    const sandbox = await startSandbox(0, sandboxMain);
    try {
      expect(sandbox.signingSecret).not.toBe('');
      await expect(sandbox.register('no address')).rejects.toThrow(
        `The sandbox responded to ${sandbox.url}/_sandbox/webhooks with 400.`,
      );
    } finally {
      await sandbox.stop();
      await sandbox.stop();
    }
  });
});
