import { type Dispatcher, ProxyAgent } from 'undici';
import { guardedAgent, protocol, type Resolve } from './guarded-agent.ts';
import type { Outbound } from './post.ts';
import type { TargetRules } from './target-rules.ts';

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
  readonly internal?: { readonly deliveryTimeoutMs?: number; readonly resolve?: Resolve };
}

/** How a relay reaches its subscribers, until it is destroyed. */
export function outboundOf(
  rules: TargetRules,
  {
    proxy,
    internal: { deliveryTimeoutMs: timeoutMs = responseTimeoutMs, resolve } = {},
  }: OutboundOptions,
): Outbound & { destroy(): Promise<void> } {
  const direct = guardedAgent(rules, { connectTimeoutMs, ...(resolve && { resolve }) });
  const { agent, destroy } = proxy
    ? proxied(direct, proxy, { rules, connectTimeoutMs })
    : { agent: direct, destroy: () => direct.destroy() };
  return { agent, rules, timeoutMs, destroy };
}
