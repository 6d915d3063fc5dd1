import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { guardedAgent } from '../../../packages/relay/src/outbound/agents.ts';
import { isPublicAddress, TargetRules } from '../../../packages/relay/src/outbound/targets.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';

/** One of each special network, and the last address of most. */
const privateIpv4 = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255'],
];
const publicIpv4 = [
  ...['1.1.1.1', '9.255.255.255', '11.0.0.1', '100.63.0.1', '100.128.0.1', '172.32.0.1'],
  '223.255.255.255',
];

/** 127.0.0.1 in the forms that a URL may contain, alone and within IPv6, and private IPv6 addresses. */
const spelled = [
  ...[
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '2130706433.',
    '0x7f000001',
    '0X00007F000001',
  ],
  ...[
    '017700000001',
    '0177.0.0.1',
    '0000177.0.0.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '127。0．0｡1',
  ],
  ...[
    '127%2E0%2E0%2E1',
    '%3127.0.0.1',
    '\u00ad127.0.0.1',
    '１２７.0.0.1',
    '𝟏𝟐𝟕.0.0.1',
    '①②⑦.⓪.⓪.①',
  ],
  ...['[::ffff:127.0.0.1]', '[0:0:0:0:0:FFFF:7f00:1]', '[::ffff:0:7f00:1]', '[::127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::1]'],
  ...['[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[fe80::5efe:7f00:1]', '[::]', '[::1]'],
  ...['[0000::0001]', '[::0.0.0.1]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]'],
  ...['[ff02::1]', '[100::1]', '[5f00::1]', '[3fff::1]'],
];

const disguised = [
  ...['https://user:password@127.0.0.1/', 'https:\\\\127.0.0.1/', 'https:///127.0.0.1/'],
  'https:127.0.0.1',
  ...[' https://127.0.0.1/', 'ht\ntps://127.0.0.1/', 'https://127.0.0.1\t/', 'https://[::1'],
  ...['https://127.0.0.1#@hooks.example.com/', 'https://127.0.0.1\\@hooks.example.com/'],
  ...['https://hooks.example.com@127.0.0.1:0/', 'https://127.0.0.1@hooks.example.com/'],
  ...['https://[::1%25lo]/', 'https://256.256.256.256/', 'https://0x100000000/', '//127.0.0.1/'],
  ...['gopher://127.0.0.1/', 'unix:/var/run/docker.sock', 'javascript:alert(1)', 'data:,x'],
  ...['blob:https://hooks.example.com/1', '127.0.0.1', ''],
];

const none = new TargetRules([]);

describe('a target', () => {
  it('that is a private address, however it is spelled, is rejected', () => {
    const hosts = [...privateIpv4, ...spelled];
    expect(hosts.filter((host) => !none.whyNot(`https://${host}/hook`))).toEqual([]);
  });

  it('that disguises its address, or is none, is rejected', () => {
    expect(disguised.filter((url) => !none.whyNot(url))).toEqual([]);
  });

  it.each([...publicIpv4, 'hooks.zapier.com', '[2606:4700::1111]'])('on %s is accepted', (host) => {
    expect(none.whyNot(`https://${host}/hook`)).toBeUndefined();
  });

  it('with a zone is private, whatever its address', () => {
    expect(isPublicAddress('2606:4700::1111')).toBe(true);
    expect(isPublicAddress('2606:4700::1111%eth0')).toBe(false);
  });

  it.each([
    ['no URL', 'use a URL that starts with https://'],
    ['ftp://hooks.zapier.com/', 'use a URL that starts with https://'],
    ['file:///etc/passwd', 'use a URL that starts with https://'],
    [
      'https://me:secret@hooks.zapier.com/',
      'leave out the username and password: lists show the URL',
    ],
    [
      'http://hooks.zapier.com/',
      'use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and hooks.zapier.com is not one of them',
    ],
    [
      'https://10.1.2.3/',
      '10.1.2.3 is not a public address; the operator of the relay can allow it with the environment variable RELAY_ALLOW_TARGETS and a restart',
    ],
  ])('%s is refused: %s', (url, why) => {
    expect(none.whyNot(url)).toBe(why);
  });
});

describe('a connection', () => {
  /** Posts to a name that resolves to the given addresses, one after another. */
  async function postTo(url: string, allowed: string[], answers: string[][]) {
    const asked: string[] = [];
    const agent = guardedAgent(new TargetRules(allowed), {
      connectTimeoutMs: 1_000,
      resolve: (host, callback) => {
        asked.push(host);
        callback(
          null,
          (answers.shift() ?? []).map((address) => ({
            address,
            family: address.includes(':') ? 6 : 4,
          })),
        );
      },
    });
    const outcome = await request(url, { method: 'POST', dispatcher: agent }).then(
      ({ statusCode }) => String(statusCode),
      ({ name, message }: Error) => `${name}: ${message}`,
    );
    await agent.destroy();
    return { outcome, asked };
  }

  const forbidden = (host: string) =>
    `ForbiddenTarget: ${host} does not resolve to a public address. The operator of the relay can allow it with the environment variable RELAY_ALLOW_TARGETS and a restart.`;

  const resolved = ['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'];
  const strange = [
    ...['::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1%lo', '::1%lo', '127.1'],
    ...['2130706433', '0x7f.1', '0177.0.0.1', '', 'localhost', '127.0.0.1:80'],
  ];

  it('goes to no name that resolves to no public address', async () => {
    const { url, arrivals } = await startReceiver();
    const rebound = url.replace('127.0.0.1', 'rebound.example');
    for (const answer of [
      [],
      resolved,
      strange,
      ...[...resolved, ...strange].map((one) => [one]),
    ]) {
      const { outcome } = await postTo(rebound, [], [answer]);
      expect([answer, outcome]).toEqual([answer, forbidden('rebound.example')]);
    }
    expect((await postTo(url, [], [])).outcome).toBe(forbidden('127.0.0.1'));
    expect(arrivals).toEqual([]);
  });

  it('goes to the address that is allowed, of several', async () => {
    const { url, arrivals } = await startReceiver();
    const named = url.replace('127.0.0.1', 'allowed.example');
    const { outcome } = await postTo(named, ['127.0.0.1'], [['::1', '127.0.0.2', '127.0.0.1']]);
    expect([outcome, arrivals.length]).toEqual(['200', 1]);
  });

  it('resolves a name once, and goes to the address that was checked', async () => {
    const { url, arrivals } = await startReceiver();
    const named = url.replace('127.0.0.1', 'allowed.example');
    const { outcome, asked } = await postTo(named, ['127.0.0.1'], [['127.0.0.1'], ['127.0.0.2']]);
    expect([outcome, asked, arrivals.length]).toEqual(['200', ['allowed.example'], 1]);
  });
});
