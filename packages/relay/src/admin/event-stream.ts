import type { RelayContext } from '../context.ts';
import { followEvents } from '../records/follow-events.ts';
import type { EventRecord } from '../records/response-schemas.ts';
import { eventRecord } from '../records/stored-events.ts';
import { findSource } from './find-source.ts';
import { type Forwarded, forwardEvents } from './forward-events.ts';

export interface StreamQuery {
  /** Default: the only source. */
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

export type EventStream = Readonly<ReturnType<typeof eventStream>>;

/** The events that arrive from now on. */
export function eventStream(context: RelayContext) {
  async function* follow({ source, type, signal, onReady = () => undefined }: StreamQuery) {
    yield* followEvents(context, await findSource(context, source), { type, signal, onReady });
  }
  return {
    async *tail(query: StreamQuery): AsyncIterable<EventRecord> {
      for await (const event of follow(query)) yield eventRecord(event);
    },
    /** Sends each of them to an address once. */
    forward: ({ url, signingSecret, ...query }: ForwardQuery): AsyncIterable<Forwarded> =>
      forwardEvents(context, follow(query), { url, signingSecret }),
  };
}
