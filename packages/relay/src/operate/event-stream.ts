import { setTimeout as wait } from 'node:timers/promises';
import type { EventRecord } from '../base/contract.ts';
import { publicId } from '../base/ids.ts';
import type { RelayContext } from '../log/context.ts';
import {
  afterNewestEvent,
  eventRecord,
  readEventsAfter,
  type UnerasedEvent,
} from '../log/events.ts';
import { guardedAgent, type SubscriberRequestOptions } from '../outbound/agents.ts';
import { postDelivery, signedDeliveryHeaders } from '../outbound/post.ts';
import { TargetRules } from '../outbound/targets.ts';
import { findSources } from '../subscribe/records.ts';

const pageSize = 100;
const pollMs = 500;
const connectTimeoutMs = 5_000;

export interface StreamQuery {
  /** Default: every source that there is at the start. */
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly signal: AbortSignal;
  /** Called once every later event will be seen. */
  readonly onReady?: () => void;
}

export interface ForwardQuery extends StreamQuery {
  /** Any address that this process reaches. */
  readonly url: URL;
  /** `whsec_` and base64. Signs like the secret of a token. */
  readonly signingSecret: string;
}

export interface ForwardedEvent {
  readonly id: string;
  readonly type: string;
  readonly received_at: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export type EventStream = Readonly<ReturnType<typeof eventStream>>;

/** The events that arrive from now on, each once; those of a source in the order of commits. */
export function eventStream(context: RelayContext) {
  return {
    async *tail(query: StreamQuery): AsyncIterable<EventRecord> {
      for await (const event of follow(context, query)) yield eventRecord(event);
    },
    /**
     * Sends each of them once to an address that this process reaches, such as a program under
     * development. Needs no subscription: the relay that serves may not reach the address, and
     * nothing is left if this process is killed.
     */
    async *forward({ url, signingSecret, ...query }: ForwardQuery): AsyncIterable<ForwardedEvent> {
      const { timeoutMs } = context.outbound;
      const rules = new TargetRules([url.hostname.replace(/^\[(.*)\]$/, '$1')]);
      const agent = guardedAgent(rules, { connectTimeoutMs });
      const outbound: SubscriberRequestOptions = { rules, timeoutMs, agent };
      try {
        for await (const { id: uuid, type, received_at, body } of follow(context, query)) {
          const id = publicId('evt', uuid);
          const now = context.clock.now();
          const headers = signedDeliveryHeaders({ id, body, secrets: [signingSecret], now });
          const {
            status,
            error,
            durationMs: duration_ms,
          } = await postDelivery({ url: url.href, headers, body, outbound });
          yield { id, type, received_at: received_at.toISOString(), status, error, duration_ms };
        }
      } finally {
        await agent.destroy();
      }
    },
  };
}

async function* follow(
  context: RelayContext,
  { source, type, signal, onReady }: StreamQuery,
): AsyncGenerator<UnerasedEvent> {
  const read = (number: number, start: string) =>
    readEventsAfter(context, number, { limit: pageSize, type, start, name: 'position' });
  const positions = new Map<number, string>();
  for (const number of await findSources(context, source)) {
    positions.set(number, (await read(number, afterNewestEvent)).position);
  }
  onReady?.();
  while (!signal.aborted) {
    let hasMore = false;
    for (const [number, position] of positions) {
      const following = await read(number, position);
      yield* following.events;
      positions.set(number, following.position);
      hasMore ||= following.hasMore;
    }
    if (!hasMore) await wait(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
