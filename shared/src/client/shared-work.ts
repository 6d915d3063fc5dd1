/** Ends what nobody waits for any more. It is no error, which would cost a stack. */
export const notNeeded = 'not needed any more';

/**
 * Work that several callers wait for. One caller's abort leaves it to the others; when the last
 * of them has left, nobody needs it and it is stopped.
 */
export class SharedWork<T> {
  readonly #stop = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#result = start(this.#stop.signal);
  }

  /** True once the last caller has left: there is nothing to join any more. */
  get isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Gives what the work gives; rejects with the signal's reason when it aborts meanwhile. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    this.#callers += 1;
    try {
      return await unlessAborted(this.#result, signal);
    } finally {
      this.#callers -= 1;
      if (this.#callers === 0) this.#stop.abort(notNeeded);
    }
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
