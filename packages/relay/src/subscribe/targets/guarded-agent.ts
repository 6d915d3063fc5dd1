import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { TargetRules } from './target-rules.ts';

export type Resolve = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * HTTP/1.1 alone: an HTTP/2 server that grants no stream would hold an attempt for as long as it wants.
 * Keep-alive is shorter than most servers': a delivery on a dead connection is a failed attempt.
 */
export const protocol = {
  allowH2: false,
  keepAliveTimeout: 2_000,
  keepAliveMaxTimeout: 2_000,
  maxHeaderSize: 64 * 1024,
} as const;

/** Of a name with several, while the connect time lasts. By default, Node leaves each after 250 ms. */
const eachAddressMs = 2_000;

/** The target leads to a forbidden address. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget';
}

/**
 * Connects only to allowed addresses. Resolves a name once and connects to exactly the address that
 * was checked, so that a name that points elsewhere a moment later gains nothing.
 */
export function guardedAgent(
  rules: TargetRules,
  { connectTimeoutMs, resolve = resolveByDns }: { connectTimeoutMs: number; resolve?: Resolve },
): Agent {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: eachAddressMs,
    lookup: (host, options, callback) =>
      resolve(host, (error, found) => {
        const addresses = rules.isAllowedName(host)
          ? found
          : (found ?? []).filter(({ address }) => rules.mayConnect(address));
        const [first] = addresses ?? [];
        if (error) callback(error, '', 0);
        else if (!first) callback(forbidden(host), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      }),
  });
  return new Agent({
    ...protocol,
    connect: (options, callback) => {
      // Node does not resolve IP addresses, so the lookup would not see them.
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0 && !rules.mayConnect(host)) {
        callback(forbidden(host), null);
        return;
      }
      connect(options, callback);
    },
  });
}

function forbidden(host: string): ForbiddenTarget {
  return new ForbiddenTarget(
    `${host} does not resolve to a public address. The operator of the relay can allow it with the environment variable RELAY_ALLOW_TARGETS and a restart.`,
  );
}

/** The message of the operating system names its function. */
const resolveByDns: Resolve = (host, callback) =>
  lookup(host, { all: true }, (error, addresses) => {
    if (error) error.message = `${host} has no address, or its name servers do not respond`;
    callback(error, addresses);
  });
