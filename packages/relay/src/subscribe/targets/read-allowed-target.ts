import { BlockList, isIP } from 'node:net';
import { RelayError } from '../../relay-error.ts';

/** One entry of RELAY_ALLOW_TARGETS. */
export type AllowedTarget =
  | { readonly host: string }
  | { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' };

/** The largest private networks are 10.0.0.0/8 and fc00::/7. */
const families = {
  ipv4: { bits: 32, minPrefix: 8 },
  ipv6: { bits: 128, minPrefix: 7 },
} as const;

const decimal = /^(?:0|[1-9]\d{0,2})$/;
const hostName = /^[\w-]+(?:\.[\w-]+)*\.?$/;

const ipv4InIpv6 = new BlockList();
ipv4InIpv6.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Reads a host name, an address or a network. Throws a RelayError that quotes any other text: a
 * typing mistake must not open a network.
 */
export function readAllowedTarget(text: string): AllowedTarget {
  const entry = text.trim().toLowerCase();
  const [bracketed = '', ...more] = entry.split('/');
  const address = bracketed.replace(/^\[(.*:.*)\]$/, '$1');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version !== 0) return networkOf(entry, address, version === 4 ? 'ipv4' : 'ipv6', more);
  if (entry.includes('*')) {
    throw invalid(entry, 'has a wildcard. List each host by its name, or a network');
  }
  // URLs with other spellings of an address, such as 127.1, get the usual one.
  if (hostName.test(entry) && URL.parse(`https://${entry}/`)?.hostname === entry) {
    return { host: entry };
  }
  throw invalid(entry, 'is not a host name, address, or network. Write a network');
}

function networkOf(
  entry: string,
  address: string,
  family: 'ipv4' | 'ipv6',
  prefixes: readonly string[],
): AllowedTarget {
  const { bits, minPrefix } = families[family];
  const [text = String(bits), ...more] = prefixes;
  const prefix = Number(text);
  if (more.length > 0 || !decimal.test(text) || prefix > bits) {
    throw invalid(entry, `needs a prefix from ${minPrefix} to ${bits} after the slash`);
  }
  if (prefix < minPrefix) {
    throw invalid(
      entry,
      `opens too many addresses: the shortest prefix is ${minPrefix}. List only the networks of your subscribers`,
    );
  }
  if (family === 'ipv6' && hasIpv4(address, prefix)) {
    throw invalid(entry, 'contains IPv4 addresses. List them as an IPv4 network');
  }
  return { address, prefix, family };
}

/** BlockList applies an IPv6 network also to the IPv4 addresses that it embeds. */
function hasIpv4(address: string, prefix: number): boolean {
  const network = new BlockList();
  network.addSubnet(address, prefix, 'ipv6');
  return network.check('0.0.0.0', 'ipv4') || ipv4InIpv6.check(address, 'ipv6');
}

function invalid(entry: string, fault: string): RelayError {
  return new RelayError(
    'configuration',
    `RELAY_ALLOW_TARGETS: "${entry}" ${fault}, such as 10.0.0.0/8.`,
  );
}
