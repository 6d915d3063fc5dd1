import { setTimeout as wait } from 'node:timers/promises';
import type { RelayContext } from '../context.ts';
import { readEventsAfter, type WholeEvent } from '../records/events-after.ts';
import { newest } from '../records/input-schemas.ts';
import type { EventRecord } from '../records/response-schemas.ts';
import { eventRecord } from '../records/stored-events.ts';
import { findSource } from './find-source.ts';
import { type Forwarded, type Forwarding, forwardEvents } from './forward-events.ts';

const pageSize = 100;
const pollMs = 500;

export interface StreamQuery {
  /** Default: the only source. */
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once every later event will be seen. */
  readonly onReady?: () => void;
}

export type ForwardQuery = StreamQuery & Forwarding;

export type EventStream = Readonly<ReturnType<typeof eventStream>>;

/** The events that arrive from now on, each once, in the order of commits. */
export function eventStream(context: RelayContext) {
  async function* follow(query: StreamQuery): AsyncGenerator<WholeEvent> {
    const { type, signal, onReady } = query;
    const source = await findSource(context, query.source);
    const read = (start: string) =>
      readEventsAfter(context, source, { limit: pageSize, type, start, name: 'position' });
    let { position } = await read(newest);
    onReady?.();
    while (!signal.aborted) {
      const following = await read(position);
      yield* following.events;
      position = following.position;
      if (!following.hasMore) await wait(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return {
    async *tail(query: StreamQuery): AsyncIterable<EventRecord> {
      for await (const event of follow(query)) yield eventRecord(event);
    },
    /** Sends each of them to an address once. */
    forward: (query: ForwardQuery): AsyncIterable<Forwarded> =>
      forwardEvents(context, follow(query), query),
  };
}
