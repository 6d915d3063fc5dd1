import type { Clock } from '../clock.ts';
import { onAbort } from '../on-abort.ts';

/** The abort reason when no caller waits. It is a string, since an Error would cost a stack. */
export const noCallerLeft = 'not needed any more';

/**
 * Work that several callers wait for. A caller that aborts does not affect the others; when the
 * last one leaves, the work is stopped.
 */
export class SharedWork<T> {
  readonly #stop = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#result = start(this.#stop.signal);
  }

  /** True once the last caller has left, when it is too late to join. */
  get isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves with the result of the work; rejects with the signal's reason if it aborts first. */
  join(signal: AbortSignal | undefined): Promise<T> {
    this.#callers += 1;
    // Not async: a stack of ten lines has one more for the caller of the client.
    return unlessAborted(this.#result, signal).finally(() => {
      this.#callers -= 1;
      if (this.#callers === 0) this.#stop.abort(noCallerLeft);
    });
  }
}

/** A store that takes longer, in milliseconds, has failed. */
const storeMs = 1000;

/** What a store of tokens or secrets returns; rejects when it takes longer than a second. */
export async function fromStore<T>(clock: Clock, work: () => T | Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(storeMs, done.signal).then(() => {
    throw new Error(`The store took longer than ${storeMs} ms.`);
  });
  try {
    return await Promise.race([late, (async () => work())()]);
  } finally {
    done.abort(noCallerLeft);
  }
}

/** The result of the work; rejects with the signal's reason if it aborts first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}
