import { setTimeout as wait } from 'node:timers/promises';
import type { RelayContext } from '../context.ts';
import type { StoredEvent } from './event-rows.ts';
import { readEventsAfter } from './events-after.ts';
import { newest } from './input-schemas.ts';

const pageSize = 100;
const pollMs = 500;

export interface Follow {
  readonly type: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once every later event will be seen. */
  readonly onReady: () => void;
}

/** The events that arrive from now on, each once, in the order of commits. */
export async function* followEvents(
  context: RelayContext,
  source: number,
  { type, signal, onReady }: Follow,
): AsyncGenerator<StoredEvent> {
  const read = (start: string) =>
    readEventsAfter(context, source, { limit: pageSize, type, start, name: 'position' });
  let { position } = await read(newest);
  onReady();
  while (!signal.aborted) {
    const following = await read(position);
    yield* following.events;
    position = following.position;
    if (!following.hasMore) await wait(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
