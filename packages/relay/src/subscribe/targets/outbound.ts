import { guardedAgent, type Resolve } from './guarded-agent.ts';
import type { Outbound } from './post.ts';
import { type EgressProxy, proxied } from './proxied.ts';
import type { TargetRules } from './target-rules.ts';

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
