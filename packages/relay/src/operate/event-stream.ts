import { setTimeout as wait } from 'node:timers/promises';
import type { RelayContext } from '../context.ts';
import type { EventRecord } from '../log/contract-types.ts';
import { publicId } from '../log/database/ids.ts';
import { eventRecord } from '../log/event-rows.ts';
import { newest, readEventsAfter, type WholeEvent } from '../log/events-after.ts';
import { guardedAgent } from '../subscribe/targets/guarded-agent.ts';
import { type Outbound, post } from '../subscribe/targets/post.ts';
import { requestHeaders } from '../subscribe/targets/request-headers.ts';
import { TargetRules } from '../subscribe/targets/target-rules.ts';
import { findSources } from './find-source.ts';

const pageSize = 100;
const pollMs = 500;
const connectTimeoutMs = 5_000;

export interface StreamQuery {
  /** Default: every source that there is at the start. */
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** Ends it. */
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

export type EventStream = Readonly<ReturnType<typeof eventStream>>;

/** The events that arrive from now on, each once; those of a source in the order of commits. */
export function eventStream(context: RelayContext) {
  return {
    async *tail(query: StreamQuery): AsyncIterable<EventRecord> {
      for await (const event of follow(context, query)) yield eventRecord(event);
    },
    /** Sends each of them to an address once. */
    forward: (query: ForwardQuery): AsyncIterable<Forwarded> => forwardEvents(context, query),
  };
}

async function* follow(
  context: RelayContext,
  { source, type, signal, onReady }: StreamQuery,
): AsyncGenerator<WholeEvent> {
  const read = (number: number, start: string) =>
    readEventsAfter(context, number, { limit: pageSize, type, start, name: 'position' });
  const positions = new Map<number, string>();
  for (const number of await findSources(context, source)) {
    positions.set(number, (await read(number, newest)).position);
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

/**
 * Sends events to an address that this process reaches, such as a program under development, like
 * deliveries but once. Needs no subscription: the relay that serves may not reach the address, and
 * nothing is left if this process is killed.
 */
async function* forwardEvents(
  context: RelayContext,
  { url, signingSecret, ...query }: ForwardQuery,
): AsyncGenerator<Forwarded> {
  const {
    clock,
    outbound: { timeoutMs },
  } = context;
  const rules = new TargetRules([url.hostname.replace(/^\[(.*)\]$/, '$1')]);
  const outbound: Outbound = { rules, timeoutMs, agent: guardedAgent(rules, { connectTimeoutMs }) };
  try {
    for await (const { id: uuid, type, received_at, body } of follow(context, query)) {
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
