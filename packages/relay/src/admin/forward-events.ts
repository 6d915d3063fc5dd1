import type { RelayContext } from '../context.ts';
import { publicId } from '../database/uuid.ts';
import type { WholeEvent } from '../records/events-after.ts';
import { guardedAgent } from '../targets/guarded-agent.ts';
import { type Outbound, post } from '../targets/post.ts';
import { requestHeaders } from '../targets/request-headers.ts';
import { TargetRules } from '../targets/target-rules.ts';

const connectTimeoutMs = 5_000;

/** The result of one forwarded event. */
export interface Forwarded {
  readonly id: string;
  readonly type: string;
  readonly received_at: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface Forwarding {
  /** Any address that this process reaches. */
  readonly url: URL;
  /** `whsec_` and base64. Signs like the secret of a token. */
  readonly signingSecret: string;
}

/**
 * Sends events to an address that this process reaches, such as a program under development, like
 * deliveries but once. Needs no subscription: the relay that serves may not reach the address, and
 * nothing is left if this process is killed.
 */
export async function* forwardEvents(
  { clock, outbound: { timeoutMs } }: RelayContext,
  events: AsyncIterable<WholeEvent>,
  { url, signingSecret }: Forwarding,
): AsyncGenerator<Forwarded> {
  const rules = new TargetRules([url.hostname.replace(/^\[(.*)\]$/, '$1')]);
  const outbound: Outbound = { rules, timeoutMs, agent: guardedAgent(rules, { connectTimeoutMs }) };
  try {
    for await (const { id: uuid, type, received_at, body } of events) {
      const id = publicId('evt', uuid);
      const headers = requestHeaders({ id, body, secrets: [signingSecret], now: clock.now() });
      const { status, error, durationMs } = await post({ url: url.href, headers, body, outbound });
      const result = { status, error, duration_ms: durationMs };
      yield { id, type, received_at: received_at.toISOString(), ...result };
    }
  } finally {
    await outbound.agent.destroy();
  }
}
