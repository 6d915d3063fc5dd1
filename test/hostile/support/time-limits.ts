import { setImmediate as nextTurn } from 'node:timers/promises';

const { setTimeout: setReally, clearTimeout: clearReally } = globalThis;
const abortReally = AbortSignal.timeout;
const tellReally = performance.now;

/** Milliseconds: nothing but the limits of tries and tokens takes as long. */
const shortestLimit = 10_000;

/** So many turns of the event loop after it was sent, everything has arrived. */
const turnsOfArrival = 20;

/** A substitute for a limit's timer, however long it is. */
interface Pending {
  readonly end: () => void;
}

/**
 * Time limits that a test ends itself once the service has gone silent: they work on slow and busy
 * machines, and cost no waiting. Meanwhile the clock that measures durations is frozen, or a slow
 * machine would leave less time for each retry. Shorter timers stay as they are.
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
    const stopped = performance.now();
    performance.now = () => stopped;
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
    performance.now = tellReally;
  }

  /**
   * The service has gone silent: once what it sent has arrived, every limit set until now ends.
   * Limits set a moment later belong to other requests.
   */
  async silent(): Promise<void> {
    const set = [...this.#pending];
    if (set.length === 0)
      throw new Error('The service has gone silent, and nobody has set a limit.');
    // Both ends are in this process: each turn reads all that has come.
    for (let turn = 0; turn < turnsOfArrival; turn += 1) await nextTurn();
    for (const pending of set) if (this.#pending.delete(pending)) pending.end();
  }

  get isAnySet(): boolean {
    return this.#pending.size > 0;
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
