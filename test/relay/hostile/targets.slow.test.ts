import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

const unconnected = /does not resolve to a public address|has no address/;
const unreached = new RegExp(`is not a public address|use https|${unconnected.source}`);
const names = ['localhost', 'localhost.', 'LOCALHOST', 'sub.localhost', 'ｌｏｃａｌｈｏｓｔ'];

describe(`${hosts.length + names.length} spellings of private addresses`, () => {
  it('lead here while the operator allows them, and nowhere afterwards', async () => {
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
});

describe('a name', () => {
  const urlOf = (name: string) => `https://${name}.example:${port}/`;
  const addressesOf = (found: readonly string[]): LookupAddress[] =>
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  /** Delivers to names that resolve to these addresses. */
  async function deliver(found: Record<string, string[]>, allowTargets: string[] = []) {
    const running = await start({
      allowTargets,
      resolve: (host, callback) =>
        callback(null, addressesOf(found[host.replace('.example', '')] ?? [])),
    });
    for (const name of Object.keys(found)) await deliverTo(running, name, urlOf(name));
    await running.relay.clock.advance(0);
    return deliveriesOf(running);
  }

  it('that leads to no public address is not connected to', async () => {
    const resolved = ['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'];
    const strange = [
      ...['::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1%lo', '::1%lo', '127.1'],
      ...['2130706433', '0x7f.1', '0177.0.0.1', '', 'localhost', '127.0.0.1:80'],
    ];
    const lists = [...resolved, ...strange].map((address) => [address]);
    lists.push([], resolved, strange);
    const found = Object.fromEntries(lists.map((list, number) => [`n${number}`, list]));
    for (const [name, { attempts }] of await deliver(found)) {
      expect(attempts).toMatchObject([
        {
          error: `${name}.example does not resolve to a public address. The operator of the relay can allow it with RELAY_ALLOW_TARGETS.`,
        },
      ]);
    }
    expect(reached).toEqual([]);
  });

  it('that leads to an allowed address and others is connected to the allowed one', async () => {
    const found = { first: ['127.0.0.2', '127.0.0.1'], last: ['::1', '127.0.0.1', '127.0.0.2'] };
    await deliver(found, ['127.0.0.2']);
    expect(reached).toEqual(['127.0.0.2', '127.0.0.2']);
  });

  it('that leads to a private address at the next delivery is not followed', async () => {
    let address = '127.0.0.2';
    const running = await start({
      allowTargets: ['127.0.0.2'],
      resolve: (_host, callback) => callback(null, addressesOf([address])),
    });
    await deliverTo(running, 'rebound', urlOf('rebound'));
    await running.relay.clock.advance(0);
    address = '127.0.0.1';
    await running.relay.clock.advance(firstRetryMs);
    const attempts = (await deliveriesOf(running)).get('rebound')?.attempts;
    expect(attempts?.[1]?.error).toMatch(/^rebound\.example does not resolve to a public address/);
    expect(reached).toEqual(['127.0.0.2']);
  });
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
