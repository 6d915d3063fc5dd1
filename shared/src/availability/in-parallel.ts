import { noCallerLeft } from '../client/shared-work.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';

export interface ParallelOptions {
  /** Items in progress at a time. No further items are taken from the source. */
  readonly concurrency: number;
  /** Stops the work at any moment; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on items while their source yields more. When the work or the source throws, everything
 * stops: the work in progress is aborted through its signal, and once it has settled, the error is
 * rethrown.
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
  } catch (error) {
    // From here on, the line of the caller is among the ten of a stack.
    if (ScreenAdvertisingError.isInstance(error)) Error.captureStackTrace?.(error);
    throw error;
  } finally {
    stopped.abort(noCallerLeft);
    await Promise.allSettled(workers);
    await items.return?.();
  }
}
