import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { resolveByDns } from '../../../packages/relay/src/targets/guarded-agent.ts';
import { TargetRules } from '../../../packages/relay/src/targets/target-rules.ts';
import { deliveriesOf, deliverTo } from '../sender/scene.ts';
import { type Reply, startNameServer } from '../support/name-server.ts';
import { start } from '../support/running-relay.ts';

const servers = new Set<Server>();

afterEach(async () => {
  await Promise.all([...servers].map((server) => new Promise((done) => server.close(done))));
  servers.clear();
});

/** Accepts on every address of this machine, and records which ones were connected to. */
async function startSubscriber() {
  const reached: (string | undefined)[] = [];
  const server = createServer((socket) => {
    reached.push(socket.localAddress?.replace('::ffff:', ''));
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  servers.add(server);
  return { reached, port: (server.address() as AddressInfo).port };
}

/** A relay whose name server is the test's own. It may connect to 127.0.0.2 alone. */
async function startWith(reply: (name: string) => Reply) {
  const nameServer = await startNameServer(reply);
  const allowTargets = ['127.0.0.2'];
  const running = await start({
    allowTargets,
    resolve: resolveByDns(new TargetRules(allowTargets), [nameServer.address]),
  });
  return { running, asked: nameServer.asked };
}

describe('a relay', () => {
  it('delivers to others while 40 name servers are silent', async () => {
    const { reached, port } = await startSubscriber();
    const { running } = await startWith((name) =>
      name.startsWith('silent') ? 'silent' : ['127.0.0.2'],
    );
    for (let nth = 0; nth < 40; nth += 1) {
      await deliverTo(running, `silent-${nth}`, `https://silent-${nth}.example/`);
    }
    await deliverTo(running, 'prompt', `https://prompt.example:${port}/`);
    await running.relay.clock.advance(0);
    const found = await deliveriesOf(running);
    expect(found.get('silent-7')?.attempts).toMatchObject([
      { error: 'the name servers of silent-7.example do not respond (ETIMEOUT)' },
    ]);
    expect(found.get('silent-7')?.attempts[0]?.duration_ms).toBeLessThan(5_000);
    expect(reached).toEqual(['127.0.0.2']);
  });

  it('does not follow a name server that changes its response to a private address', async () => {
    const { reached, port } = await startSubscriber();
    const { running, asked } = await startWith(() => [
      asked.length <= 1 ? '127.0.0.2' : '127.0.0.1',
    ]);
    await deliverTo(running, 'rebound', `https://rebound.example:${port}/`);
    await running.relay.clock.advance(0);
    expect([asked.length, reached]).toEqual([1, ['127.0.0.2']]);
    await running.relay.clock.advance(5_000);
    const attempts = (await deliveriesOf(running)).get('rebound')?.attempts;
    expect(attempts?.[1]?.error).toMatch(/^rebound\.example does not resolve to a public address/);
    expect([asked.length, reached]).toEqual([2, ['127.0.0.2']]);
  });
});
