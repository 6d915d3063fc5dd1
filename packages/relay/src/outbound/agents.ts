import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { TargetRules } from './targets.ts';

/** How requests to subscribers are sent. */
export interface SubscriberRequestOptions {
  /** Connects only to allowed addresses. */
  readonly agent: Dispatcher;
  readonly rules: TargetRules;
  readonly timeoutMs: number;
}

export type ResolveHost = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * HTTP/1.1 alone: an HTTP/2 server that grants no stream would hold an attempt for as long as it wants.
 * Keep-alive is shorter than most servers': a delivery on a dead connection is a failed attempt.
 */
const protocol = {
  allowH2: false,
  keepAliveTimeout: 2_000,
  keepAliveMaxTimeout: 2_000,
  maxHeaderSize: 64 * 1024,
} as const;

/** Each address of a name gets it, while the connect time lasts. By default, Node leaves each after 250 ms. */
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
  { connectTimeoutMs, resolve = resolveByDns }: { connectTimeoutMs: number; resolve?: ResolveHost },
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
const resolveByDns: ResolveHost = (host, callback) =>
  lookup(host, { all: true }, (error, addresses) => {
    if (error) error.message = `${host} has no address, or its name servers do not respond`;
    callback(error, addresses);
  });

export interface EgressProxy {
  /** Such as http://proxy.example.com:3128. */
  readonly url: string;
  /** Hosts, also those below them, that are reached without it; `*` for all. Default: none. */
  readonly except?: readonly string[];
}

/**
 * Sends requests through a proxy, which resolves the names: only it can refuse private addresses.
 * What the operator allows or excepts is reached directly, with the checks of `direct`.
 */
function proxied(
  direct: Dispatcher,
  { url, except = [] }: EgressProxy,
  { rules, connectTimeoutMs }: { rules: TargetRules; connectTimeoutMs: number },
): { readonly agent: Dispatcher; destroy(): Promise<void> } {
  const timeout = connectTimeoutMs;
  const proxy = new ProxyAgent({
    uri: url,
    proxyTls: { timeout },
    requestTls: { timeout },
    ...protocol,
  });
  const names = except.map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, ''),
  );
  const isDirect = (origin: string | URL | undefined) => {
    const { hostname } = new URL(origin ?? '');
    return (
      rules.isAllowedHost(hostname.replace(/^\[(.*)\]$/, '$1')) ||
      names.some((name) => name === '*' || hostname === name || hostname.endsWith(`.${name}`))
    );
  };
  return {
    agent: direct.compose(
      (dispatch) => (options, handler) =>
        isDirect(options.origin) ? dispatch(options, handler) : proxy.dispatch(options, handler),
    ),
    async destroy() {
      await Promise.all([direct.destroy(), proxy.destroy()]);
    },
  };
}

const connectTimeoutMs = 5_000;
const responseTimeoutMs = 15_000;

interface OutboundOptions {
  readonly proxy?: EgressProxy;
  readonly internal?: { readonly deliveryTimeoutMs?: number; readonly resolve?: ResolveHost };
}

/** How a relay reaches its subscribers, until it is destroyed. */
export function openSubscriberConnections(
  rules: TargetRules,
  {
    proxy,
    internal: { deliveryTimeoutMs: timeoutMs = responseTimeoutMs, resolve } = {},
  }: OutboundOptions,
): SubscriberRequestOptions & { destroy(): Promise<void> } {
  const direct = guardedAgent(rules, { connectTimeoutMs, ...(resolve && { resolve }) });
  const { agent, destroy } = proxy
    ? proxied(direct, proxy, { rules, connectTimeoutMs })
    : { agent: direct, destroy: () => direct.destroy() };
  return { agent, rules, timeoutMs, destroy };
}
