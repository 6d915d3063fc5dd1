import { BlockList, isIP } from 'node:net';
import { readAllowedTarget } from './read-allowed-target.ts';

/** IPv4 addresses of this machine, its network, or no host at all (IANA's special registry). */
const special: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Within 2000::/3; the rest of IPv6 is special. The third entry embeds IPv4 addresses. */
const specialIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const blocked = new BlockList();
for (const [network, prefix] of special) blocked.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialIpv6) blocked.addSubnet(network, prefix, 'ipv6');

const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is on the public internet. A scoped address (`%eth0`) never is. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !blocked.check(address, 'ipv4');
  return (
    version === 6 &&
    !address.includes('%') &&
    globalIpv6.check(address, 'ipv6') &&
    !blocked.check(address, 'ipv6')
  );
}

/** Where deliveries may go: https on public addresses, and what the operator allows. */
export class TargetRules {
  readonly #hosts = new Set<string>();
  readonly #networks = new BlockList();

  /** Host names, addresses and networks such as `10.0.0.0/8`. */
  constructor(allowed: readonly string[]) {
    for (const entry of allowed) {
      const target = readAllowedTarget(entry);
      if ('host' in target) this.#hosts.add(withoutDot(target.host));
      else this.#networks.addSubnet(target.address, target.prefix, target.family);
    }
  }

  /** Why this URL is forbidden, as far as the URL alone shows; undefined if it is not. */
  whyNot(targetUrl: string): string | undefined {
    const url = URL.parse(targetUrl);
    if (!url || !['https:', 'http:'].includes(url.protocol)) {
      return 'use a URL that starts with https://';
    }
    if (url.username !== '' || url.password !== '') {
      return 'leave out the username and password: lists show the URL';
    }
    const host = hostOf(url);
    if (url.protocol === 'http:' && !this.isAllowedHost(host)) {
      return `use https; http works only for targets in RELAY_ALLOW_TARGETS, and ${host} is not one of them`;
    }
    if (isIP(host) !== 0 && !this.mayConnect(host)) {
      return `${host} is not a public address; the operator of the relay can allow it with RELAY_ALLOW_TARGETS`;
    }
    return undefined;
  }

  /** Whether the operator allows this name, whatever address it resolves to. */
  isAllowedName(host: string): boolean {
    return this.#hosts.has(withoutDot(host.toLowerCase()));
  }

  /** Whether the operator allows this name, or this address. */
  isAllowedHost(host: string): boolean {
    return this.isAllowedName(host) || this.#isAllowedNetwork(host);
  }

  mayConnect(address: string): boolean {
    return isPublicAddress(address) || this.#isAllowedNetwork(address);
  }

  #isAllowedNetwork(address: string): boolean {
    const plain = address.replace(/%.*$/, '');
    const version = isIP(plain);
    return version !== 0 && this.#networks.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}

/** The host of a URL; an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A trailing dot does not change a name. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '');
}
