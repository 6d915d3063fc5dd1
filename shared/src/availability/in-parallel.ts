import { notNeeded } from '../client/shared-work.ts';

export interface ParallelOptions {
  /** How many items are worked on at a time; no more are taken from the source ahead. */
  readonly concurrency: number;
  /** Ends the work at any moment; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on items while their source still gives more. What the work or the source throws ends
 * everything: the rest is stopped through the signal they were given, and once nothing is under
 * way any more it is thrown.
 */
export async function inParallel<Item>(
  source: (signal: AbortSignal) => AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
  { concurrency, signal: given }: ParallelOptions,
): Promise<void> {
  const stopped = new AbortController();
  const signal = given ? AbortSignal.any([given, stopped.signal]) : stopped.signal;
  const items = source(signal)[Symbol.asyncIterator]();
  const workers = Array.from({ length: concurrency }, async () => {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await items.next();
      if (done) return;
      signal.throwIfAborted();
      await work(value, signal);
    }
  });
  try {
    await Promise.all(workers);
  } finally {
    stopped.abort(notNeeded);
    await Promise.allSettled(workers);
    await items.return?.();
  }
}
