import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { deliveriesOf, deliverTo, firstRetryMs } from '../deliver/scene.ts';
import { start } from '../support/running-relay.ts';
import { hosts } from './spellings.ts';

const type = 'campaign.paid';

/** Which addresses of this machine received connections, all on one port. */
let reached: string[] = [];
let port = 0;
let isIpv6 = false;
let server: Server;

beforeEach(async () => {
  reached = [];
  server = createServer((socket) => {
    reached.push(String(socket.localAddress).replace('::ffff:', ''));
    socket.on('error', () => undefined);
    socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address() as AddressInfo;
  port = address.port;
  isIpv6 = address.family === 'IPv6';
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const unreached =
  /is not a public address|use https|does not resolve to a public address|has no address/;

it('spellings of private addresses lead here while the operator allows them, and nowhere afterwards', async () => {
  const allowTargets = ['127.0.0.0/8', '0.0.0.0', '::1', '::', 'localhost'];
  const before = await start({ allowTargets });
  const local = hosts.filter((host) => {
    const { hostname } = new URL(`http://${host}/`);
    return (isIpv6 ? /^(127\.|0\.0\.0\.0$|\[::1?\]$|\[::ffff:7f)/ : /^127\./).test(hostname);
  });
  const targets = [...local, 'localhost'].map((host, nth) => `http://${host}:${port}/${nth}`);
  expect(targets.length).toBeGreaterThan(80);
  for (const target_url of targets) {
    const { status } = await before.call('PUT', '/subscriptions', { target_url, events: [type] });
    expect([target_url, status]).toEqual([target_url, 201]);
  }
  await before.deliver({ id: '1', type });
  await before.relay.clock.advance(0);
  expect(reached).toHaveLength(targets.length);
  reached.length = 0;
  await before.relay.close();

  const after = await start({ databaseUrl: before.databaseUrl, allowTargets: [] });
  await after.deliver({ id: '2', type });
  await after.relay.clock.advance(0);
  const { data } = await after.relay.deliveries.list({ state: 'pending', limit: 200 });
  expect(data).toHaveLength(targets.length);
  for (const { attempts } of data) expect(attempts[0]?.error).toMatch(unreached);
  expect(reached).toEqual([]);
});

it('a name that leads to a private address at the next delivery is not followed', async () => {
  let address = '127.0.0.2';
  const running = await start({
    allowTargets: ['127.0.0.2'],
    resolve: (_host, callback) => callback(null, [{ address, family: 4 }]),
  });
  await deliverTo(running, 'rebound', `https://rebound.example:${port}/`);
  await running.relay.clock.advance(0);
  address = '127.0.0.1';
  await running.relay.clock.advance(firstRetryMs);
  const attempts = (await deliveriesOf(running)).get('rebound')?.attempts;
  expect(attempts?.[1]?.error).toBe(
    'rebound.example does not resolve to a public address. The operator of the relay can allow it with RELAY_ALLOW_TARGETS.',
  );
  expect(reached).toEqual(['127.0.0.2']);
});

it('a delivery goes to no name that the operator no longer allows, though its address is allowed', async () => {
  const { url, arrivals } = await startReceiver();
  const ingress = await start({ role: 'ingress', allowTargets: ['plain.example'] });
  const target_url = `http://plain.example:${new URL(url).port}/hook`;
  await ingress.call('PUT', '/subscriptions', { target_url, events: [type] });
  await ingress.deliver({ id: '1', type });

  // The address stays allowed, so the connection alone would not be refused.
  const { relay } = await start({
    ...ingress,
    allowTargets: ['127.0.0.1'],
    resolve: (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await relay.clock.advance(0);
  const { body } = await ingress.call('GET', '/deliveries');
  expect(body.data[0].attempts).toMatchObject([
    {
      error:
        'use https; http works only for targets in RELAY_ALLOW_TARGETS, and plain.example is not one of them',
    },
  ]);
  expect(arrivals).toEqual([]);
});
