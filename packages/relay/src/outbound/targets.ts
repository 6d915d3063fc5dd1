import ipaddr from 'ipaddr.js';
import { ProblemResponseError } from '../base/http.ts';
import { RelayError } from '../base/relay-error.ts';

/** The rest of IPv6 is not assigned, or embeds IPv4 addresses. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');
const ipv4InIpv6 = ipaddr.parseCIDR('::ffff:0:0/96');
/** The largest private networks are 10.0.0.0/8 and fc00::/7: a typing mistake must not open more. */
const minPrefix = { ipv4: 8, ipv6: 7 } as const;

type Address = ReturnType<typeof ipaddr.parse>;
type Network = readonly [address: Address, prefix: number];

/** Undefined for any other text, such as 127.1 or 0x7f000001, and for a scoped address (`%eth0`). */
function addressOf(text: string): Address | undefined {
  const isUsual = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isUsual && !text.includes('%') ? ipaddr.parse(text) : undefined;
}

/** Whether an address is on the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = addressOf(text);
  if (!address) return false;
  return (
    (address.kind() === 'ipv4' || isWithin(address, globalIpv6)) && address.range() === 'unicast'
  );
}

function isWithin(address: Address, [network, prefix]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

/** Where deliveries may go: https on public addresses, and what the operator allows. */
export class TargetRules {
  readonly #hosts = new Set<string>();
  readonly #networks: Network[] = [];

  /** Host names, addresses and networks such as `10.0.0.0/8`. */
  constructor(allowed: readonly string[]) {
    for (const text of allowed) {
      const entry = text.trim().toLowerCase();
      const network = readNetwork(entry);
      if (network) this.#networks.push(network);
      else this.#hosts.add(withoutDot(readHost(entry)));
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
    const host = withoutBrackets(url.hostname);
    if (url.protocol === 'http:' && !this.isAllowedHost(host)) {
      return `use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and ${host} is not one of them`;
    }
    if (addressOf(host) && !this.mayConnect(host)) {
      return `${host} is not a public address; the operator of the relay can allow it with the environment variable RELAY_ALLOW_TARGETS and a restart`;
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

  #isAllowedNetwork(text: string): boolean {
    const address = addressOf(text.replace(/%.*$/, ''));
    return address !== undefined && this.#networks.some((network) => isWithin(address, network));
  }
}

/** An address, or a network; undefined for what is neither. Throws a RelayError for one that is too large. */
function readNetwork(entry: string): Network | undefined {
  const [first = '', ...prefixes] = entry.split('/');
  const address = addressOf(first.replace(/^\[(.*:.*)\]$/, '$1'));
  if (!address) return undefined;
  const shortest = minPrefix[address.kind()];
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const [prefix = String(bits)] = prefixes;
  if (prefixes.length > 1 || !/^(?:0|[1-9]\d*)$/.test(prefix) || Number(prefix) > bits) {
    throw invalid(entry, `needs a prefix from ${shortest} to ${bits} after the slash`);
  }
  const network: Network = [address, Number(prefix)];
  if (Number(prefix) < shortest) {
    throw invalid(
      entry,
      `opens too many addresses: the shortest prefix is ${shortest}. List only the networks of your subscribers`,
    );
  }
  if (isWithin(address, ipv4InIpv6) || isWithin(ipv4InIpv6[0], network)) {
    throw invalid(entry, 'contains IPv4 addresses. List them as an IPv4 network');
  }
  return network;
}

/** Throws a RelayError that quotes any other text: a typing mistake must not open a network. */
function readHost(entry: string): string {
  if (entry.includes('*')) {
    throw invalid(entry, 'has a wildcard. List each host by its name, or a network');
  }
  // URLs with other spellings of an address, such as 127.1, get the usual one.
  const isName = /^[\w-]+(?:\.[\w-]+)*\.?$/.test(entry);
  if (isName && URL.parse(`https://${entry}/`)?.hostname === entry) return entry;
  throw invalid(entry, 'is not a host name, address, or network. Write a network');
}

function invalid(entry: string, fault: string): RelayError {
  return new RelayError(
    'configuration',
    `RELAY_ALLOW_TARGETS: "${entry}" ${fault}, such as 10.0.0.0/8.`,
  );
}

/** An IPv6 address in a URL has them. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** A trailing dot does not change a name. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '');
}

/** Bytes. An index holds the whole URL. */
const longest = 2048;

/**
 * A target as `URL` writes it, without its fragment, which no server gets, the dot after its host, an empty
 * query, and escapes of characters that need none (RFC 3986, section 6.2): two spellings of one address
 * are one target. Text that is not a URL stays, so that the rules for targets can refuse it.
 */
export function normalizeTarget(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = withoutEscapes(url.pathname);
  url.search = withoutEscapes(url.search);
  if (url.href.length <= longest) return url.href;
  throw new ProblemResponseError(
    'invalid-parameter',
    `target_url: use a URL of up to ${longest} characters; with escapes, it has ${url.href.length}.`,
  );
}

function withoutEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
