const { setTimeout: setReally, clearTimeout: clearReally } = globalThis;
const abortReally = AbortSignal.timeout;

/** Milliseconds: nothing but the limits of tries and tokens takes as long. */
const shortestLimit = 10_000;

/** What comes of a limit's timer in the meantime, however long it is. */
interface Pending {
  readonly end: () => void;
}

/**
 * Limits of time that a test ends itself, at the moment the service has gone silent: no machine is
 * too slow or too busy for them, and nobody waits. Shorter timers stay as they are.
 */
export class TimeLimits {
  readonly #pending = new Set<Pending>();

  install(): void {
    globalThis.setTimeout = Object.assign(
      (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
        ms < shortestLimit ? setReally(work, ms, ...values) : this.#add(() => work(...values)),
      setReally,
    ) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      if (!this.#pending.delete(timer as unknown as Pending)) clearReally(timer);
    };
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      const reason = new DOMException('The time is over.', 'TimeoutError');
      if (ms < shortestLimit) return abortReally.call(AbortSignal, ms);
      this.#add(() => controller.abort(reason));
      return controller.signal;
    };
  }

  restore(): void {
    globalThis.setTimeout = setReally;
    globalThis.clearTimeout = clearReally;
    AbortSignal.timeout = abortReally;
  }

  /**
   * The service has gone silent: once what it sent has arrived, every limit that was set by now is
   * over. Those set a moment later are somebody else's.
   */
  silent(): void {
    const set = [...this.#pending];
    if (set.length === 0)
      throw new Error('The service has gone silent, and nobody has set a limit.');
    setReally(() => {
      for (const pending of set) if (this.#pending.delete(pending)) pending.end();
    }, 10);
  }

  forget(): void {
    this.#pending.clear();
  }

  #add(end: () => void): Pending {
    const pending = { end };
    this.#pending.add(pending);
    return pending;
  }
}
