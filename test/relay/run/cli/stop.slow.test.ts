import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { read, root } from '../../../structure/project.ts';
import { node, type Program, startProgram } from '../../../support/program.ts';
import { accepted, startActor } from '../../support/actor.ts';
import { startRelay } from '../../support/relay-process.ts';
import { freshDatabase, secretKey, start } from '../../support/running-relay.ts';

const type = 'campaign.paid';
/** A subscriber that responds when the test lets it. */
async function slowSubscriber() {
  const arrival = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  const respond = async (socket: Socket) => {
    arrival.resolve();
    await response.promise;
    socket.write(accepted);
  };
  const { url } = await startActor([respond]);
  return { url, arrived: arrival.promise, respond: response.resolve };
}

/** A relay in a separate process, whose current delivery waits for its subscriber. */
async function busyRelay() {
  const databaseUrl = await freshDatabase();
  const ingress = await start({ role: 'ingress', databaseUrl, startAt: Date.now() });
  const subscriber = await slowSubscriber();
  await ingress.call('PUT', '/subscriptions', { target_url: subscriber.url, events: [type] });
  const program = startRelay([], {
    DATABASE_URL: databaseUrl,
    RELAY_SECRET_KEY: secretKey,
    RELAY_ALLOW_TARGETS: '127.0.0.1',
    PORT: '0',
  });
  const [, url = ''] = /^API +(\S+)\/api\/v1$/m.exec(await program.printed('Stop with')) ?? [];
  for (const id of ['1', '2']) await ingress.deliver({ id, type });
  await subscriber.arrived;
  return { ingress, subscriber, program, url };
}

/** Waits until the relay refuses connections, which shows that it is stopping. */
async function untilItTakesNothing(url: string): Promise<void> {
  const isOpen = () => fetch(`${url}/healthz`).then(Boolean, () => false);
  while (await isOpen()) await wait(20);
}

async function isRunning({ ended }: Program): Promise<boolean> {
  return (await Promise.race([ended, Promise.resolve(undefined)])) === undefined;
}

describe('a relay that gets a stop signal', () => {
  it.each(['terminate', 'interrupt'] as const)(
    '%s: finishes the current delivery, starts no other, and exits with 0',
    async (signal) => {
      const { ingress, subscriber, program, url } = await busyRelay();
      program[signal]();
      await untilItTakesNothing(url);
      expect(await isRunning(program)).toBe(true);
      subscriber.respond();
      const { code, errors } = await program.ended;
      expect({ code, last: errors.trim().split('\n').at(-1) }).toEqual({
        code: 0,
        last: expect.stringContaining('"msg":"Stopped"'),
      });
      const { body } = await ingress.call('GET', '/deliveries');
      const made = body.data.map(({ state, attempts }: { state: string; attempts: unknown[] }) => [
        state,
        attempts.length,
      ]);
      // The other event still waits.
      expect(made).toEqual([['delivered', 1]]);
    },
  );

  it('from systemd, which starts it as relay.service says, ends its PostgreSQL, too', async () => {
    const [, line = ''] = /^ExecStart=(.+)$/m.exec(read('docs/relay-hosting/relay.service')) ?? [];
    const data = mkdtempSync(join(tmpdir(), 'service-'));
    // PostgreSQL does not run as root, and its user must be able to enter the folder.
    chmodSync(data, 0o755);
    const program = startProgram('sh', ['-c', `exec ${line}`], {
      cwd: root,
      env: { PATH: `${dirname(node)}:${process.env.PATH}`, RELAY_DATA_DIR: data, PORT: '0' },
    });
    await program.printed('tokens create main NAME');
    const lock = join(data, 'postgres', 'postmaster.pid');
    expect(existsSync(lock)).toBe(true);
    // Only to the process itself: KillMode=mixed.
    process.kill(program.pid, 'SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(false);
  });

  it('twice exits at once', async () => {
    const { ingress, program, url } = await busyRelay();
    program.terminate();
    await untilItTakesNothing(url);
    let isOver = false;
    void program.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      program.terminate();
      await wait(100);
    }
    expect(await program.ended).toMatchObject({ code: 1 });
    const { body } = await ingress.call('GET', '/deliveries');
    expect(body.data).toEqual([]);
  });
});
