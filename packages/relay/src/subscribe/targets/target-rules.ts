import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { readAllowedTarget } from './read-allowed-target.ts';

/** The rest of IPv6 is not assigned, or embeds IPv4 addresses. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address is on the public internet. A scoped address (`%eth0`) never is. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  const isGlobal = address.kind() === 'ipv4' || address.match(globalIpv6);
  return isGlobal && address.range() === 'unicast';
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
    return this.#isAllowedNetwork(address) || isPublicAddress(address);
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
