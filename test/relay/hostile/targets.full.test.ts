import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { guardedAgent } from '../../../packages/relay/src/targets/guarded-agent.ts';
import { TargetRules } from '../../../packages/relay/src/targets/target-rules.ts';
import { rawResponse, startActor } from '../support/actor.ts';
import { onDatabase } from '../support/database.ts';
import { type Running, start } from '../support/running-relay.ts';
import { hosts } from './spellings.ts';

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

const names = ['localhost', 'localhost.', 'LOCALHOST', 'sub.localhost', 'ｌｏｃａｌｈｏｓｔ'];
/** Addresses that a name may resolve to, and that lead here. */
const resolved = ['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'];
const strange = [
  ...['::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1%lo', '::1%lo', '127.1'],
  ...['2130706433', '0x7f.1', '0177.0.0.1', '', 'localhost', '127.0.0.1:80'],
];

const addressesOf = (found: readonly string[]): LookupAddress[] =>
  found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/**
 * Subscribes targets past the first check, as if they had been allowed once, and delivers to each.
 */
async function deliverPast(running: Running, targets: readonly string[]) {
  for (const [number] of targets.entries()) {
    const target_url = `https://hooks.example.com/${number}`;
    await running.call('PUT', '/subscriptions', { target_url, events: ['campaign.paid'] });
  }
  return onDatabase(running.databaseUrl, async (client) => {
    await client.query(
      `UPDATE subscription SET target_url = target.url
      FROM unnest($1::text[]) WITH ORDINALITY AS target (url, place)
      WHERE subscription.target_url = 'https://hooks.example.com/' || place - 1`,
      [targets],
    );
    await running.deliver({ id: '1', type: 'campaign.paid' });
    await running.relay.clock.advance(0);
    const { rows } = await client.query<{ target: string; error: string | null }>(
      `SELECT subscription.target_url AS target, attempt.error FROM attempt
      JOIN subscription ON subscription.number = attempt.subscription_number`,
    );
    return new Map(rows.map(({ target, error }) => [target, error]));
  });
}

async function statusOf(running: Running, target_url: string): Promise<number> {
  return (await running.call('PUT', '/subscriptions', { target_url, events: ['campaign.paid'] }))
    .status;
}

const unconnected = /does not resolve to a public address|has no address|did not resolve/;
const unreached = new RegExp(`is not a public address|${unconnected.source}`);
const noPublic =
  /^\S+ does not resolve to a public address\. The operator of the relay can allow it with RELAY_ALLOW_TARGETS\.$/;

describe(`${hosts.length + names.length} spellings of private addresses`, () => {
  it('are rejected when a subscription is created, except names, which may lead anywhere', async () => {
    const running = await start({ allowTargets: [] });
    const accepted: string[] = [];
    for (const host of hosts) {
      if ((await statusOf(running, `https://${host}:${port}/`)) !== 400) accepted.push(host);
    }
    expect(hosts.length).toBeGreaterThan(300);
    expect(accepted).toEqual([]);
  });

  it('are not connected to, not even past the first check', async () => {
    const running = await start({ allowTargets: [] });
    const targets = [...hosts, ...names].map((host) => `https://${host}:${port}/`);
    const errors = await deliverPast(running, targets);
    expect([...errors.keys()].sort()).toEqual(targets.sort());
    for (const [target, error] of errors) {
      expect([target, error]).toEqual([target, expect.stringMatching(unreached)]);
    }
    expect(reached).toEqual([]);
  });

  it('are refused by the connection as well, even if the rules were never checked', async () => {
    const dispatcher = guardedAgent(new TargetRules([]), { connectTimeoutMs: 10_000 });
    for (const host of [...hosts, ...names]) {
      expect([
        host,
        await request(`http://${host}:${port}/`, { dispatcher }).catch(String),
      ]).toEqual([host, expect.stringMatching(unconnected)]);
    }
    await dispatcher.close();
    expect(reached).toEqual([]);
  });

  it('do lead here if the operator allows them', async () => {
    const running = await start({
      allowTargets: ['127.0.0.0/8', '0.0.0.0', '::1', '::', 'localhost'],
    });
    const local = hosts.filter((host) => {
      const { hostname } = new URL(`http://${host}/`);
      return (isIpv6 ? /^(127\.|0\.0\.0\.0$|\[::1?\]$|\[::ffff:7f)/ : /^127\./).test(hostname);
    });
    const targets = [...local, 'localhost'].map((host) => `http://${host}:${port}/`);
    const errors = await deliverPast(running, targets);
    expect(local.length).toBeGreaterThan(80);
    expect(errors).toEqual(new Map(targets.map((target) => [target, null])));
    expect(reached).toHaveLength(targets.length);
  });
});

describe('a name', () => {
  const url = (name: string) => `https://${name}.example:${port}/`;

  /**
   * Delivers to names that resolve to these addresses, one list after another. Returns the errors.
   */
  async function deliver(found: Record<string, string[][]>, allowTargets: string[] = []) {
    const asked: string[] = [];
    const running = await start({
      allowTargets,
      resolve: (host, callback) => {
        asked.push(host);
        callback(null, addressesOf(found[host.replace('.example', '')]?.shift() ?? []));
      },
    });
    return { running, asked, errors: await deliverPast(running, Object.keys(found).map(url)) };
  }

  it('that leads to no public address is not connected to', async () => {
    const lists = [...resolved, ...strange].map((address) => [address]);
    lists.push([], resolved, strange, [...resolved, ...strange]);
    const found = Object.fromEntries(lists.map((list, number) => [`n${number}`, [list]]));
    const names = Object.keys(found);
    const { errors } = await deliver(found);
    expect(errors.size).toBe(names.length);
    for (const error of errors.values()) expect(error).toMatch(noPublic);
    expect(reached).toEqual([]);
  });

  it('that leads to an allowed address and others is connected to the allowed one', async () => {
    const found = {
      first: [['127.0.0.2', '127.0.0.1']],
      last: [['::1', '127.0.0.1', '127.0.0.2']],
    };
    await deliver(found, ['127.0.0.2']);
    expect(reached).toEqual(['127.0.0.2', '127.0.0.2']);
  });

  it('that leads elsewhere between the check and the connection is connected to where the check was', async () => {
    const { asked } = await deliver({ rebound: [['127.0.0.2'], ['127.0.0.1']] }, ['127.0.0.2']);
    expect(asked).toEqual(['rebound.example']);
    expect(reached).toEqual(['127.0.0.2']);
  });

  it('that leads elsewhere at the next delivery is checked again', async () => {
    const found = { rebound: [['127.0.0.2'], ['127.0.0.1']] };
    const { running, asked } = await deliver(found, ['127.0.0.2']);
    await running.deliver({ id: '2', type: 'campaign.paid' });
    await running.relay.clock.advance(0);
    expect(asked).toHaveLength(2);
    expect(reached).toEqual(['127.0.0.2']);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %s to a private address is not followed',
    async (status) => {
      const redirecting = await startActor([
        rawResponse(status, { location: `http://127.0.0.1:${port}/` }),
      ]);
      const running = await start();
      const errors = await deliverPast(running, [redirecting.url]);
      expect(errors.get(redirecting.url)).toBe(`responded with status ${status}`);
      expect(reached).toEqual([]);
    },
  );
});

const disguised = [
  'https://hooks.example.com@127.0.0.1:0/',
  'https://127.0.0.1@hooks.example.com/',
  'https://user:password@127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https:///127.0.0.1/',
  'https:127.0.0.1',
  ' https://127.0.0.1/',
  'ht\ntps://127.0.0.1/',
  'https://127.0.0.1\t/',
  'https://127.0.0.1#@hooks.example.com/',
  'https://127.0.0.1\\@hooks.example.com/',
  'https://[::1%25lo]/',
  'https://[fe80::1%lo]/',
  'https://[::1',
  'https://256.256.256.256/',
  'https://0x100000000/',
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'unix:/var/run/docker.sock',
  'javascript:alert(1)',
  'data:text/plain,x',
  'blob:https://hooks.example.com/1',
  '//127.0.0.1/',
  '127.0.0.1',
  '',
];

it(`${disguised.length} URLs in disguise are refused`, async () => {
  const running = await start({ allowTargets: [] });
  const accepted: string[] = [];
  for (const url of disguised) {
    if ((await statusOf(running, url)) !== 400) accepted.push(url);
  }
  expect(accepted).toEqual([]);
});
