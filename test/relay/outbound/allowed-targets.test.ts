import { describe, expect, it } from '@jest/globals';
import { TargetRules } from '../../../packages/relay/src/outbound/targets.ts';

const noTarget = 'is not a host name, address, or network. Write a network, such as 10.0.0.0/8.';
const wildcard = 'has a wildcard. List each host by its name, or a network, such as 10.0.0.0/8.';
const prefix = 'needs a prefix from 8 to 32 after the slash, such as 10.0.0.0/8.';
const prefixIpv6 = 'needs a prefix from 7 to 128 after the slash, such as 10.0.0.0/8.';
const tooMany = (shortest: number) =>
  `opens too many addresses: the shortest prefix is ${shortest}. List only the networks of your subscribers, such as 10.0.0.0/8.`;
const embedded = 'contains IPv4 addresses. List them as an IPv4 network, such as 10.0.0.0/8.';

describe('an entry of RELAY_ALLOW_TARGETS', () => {
  it.each([
    ['10.0.0.0/8', 'http://10.255.0.1/', 'http://11.0.0.0/'],
    ['192.168.1.5', 'http://192.168.1.5/', 'http://192.168.1.6/'],
    ['FD00::/8', 'http://[fdff::1]/', 'http://[fe00::1]/'],
    ['[fe00::1]', 'http://[fe00::1]/', 'http://[fe00::2]/'],
    [' n8n.internal ', 'http://n8n.internal:5678/', 'http://n8n.example/'],
    ['n8n.internal', 'http://n8n.internal.:5678/', 'http://other.internal/'],
    ['n8n_1', 'http://n8n_1/', 'http://n8n_2/'],
    ['n8n.internal.', 'http://n8n.internal/', 'http://n8n.example/'],
  ])('"%s" opens %s, and not %s', (entry, open, closed) => {
    const rules = new TargetRules([entry]);
    expect(rules.whyNot(open)).toBeUndefined();
    expect(rules.whyNot(closed)).toMatch(/^use https; /);
  });

  it.each([
    ['10.0.0.0/', prefix],
    ['10.0.0.0/0x8', prefix],
    ['10.0.0.0/1e1', prefix],
    ['10.0.0.0/08', prefix],
    ['10.0.0.0/+8', prefix],
    ['10.0.0.0/ 8', prefix],
    ['10.0.0.0/33', prefix],
    ['10.0.0.0/8/8', prefix],
    ['fd00::/129', prefixIpv6],
    ['0.0.0.0/0', tooMany(8)],
    ['10.0.0.0/7', tooMany(8)],
    ['::/0', tooMany(7)],
    ['::/8', embedded],
    ['::ffff:0:0/96', embedded],
    ['::ffff:10.0.0.1', embedded],
    ['*', wildcard],
    ['*.internal', wildcard],
    ['/', noTarget],
    ['/8', noTarget],
    ['', noTarget],
    ['a b', noTarget],
    ['http://host/', noTarget],
    ['10.0.0/8', noTarget],
    ['127.1', noTarget],
    ['0x7f000001', noTarget],
    ['2130706433', noTarget],
    ['[10.0.0.1]', noTarget],
    ['fe80::1%eth0', noTarget],
    ['n8n.internal:5678', noTarget],
    ['user@n8n.internal', noTarget],
  ])('"%s" is refused', (entry, fault) => {
    expect(() => new TargetRules([entry])).toThrow(`RELAY_ALLOW_TARGETS: "${entry}" ${fault}`);
  });
});
