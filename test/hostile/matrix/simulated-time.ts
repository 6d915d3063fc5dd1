import type { ServerResponse } from 'node:http';
import timers, { setImmediate as nextTurn } from 'node:timers/promises';

const { setTimeout: setReally, clearTimeout: clearReally } = globalThis;
const abortReally = AbortSignal.timeout;
const tellReally = performance.now;
const waitReally = timers.setTimeout;

/** Milliseconds: only limits take as long, and pauses between attempts never take exactly as long. */
const minLimit = 10_000;
const deadlines: ReadonlySet<number> = new Set([10_000, 12_500, 20_000, 25_000, 50_000]);

/** So many turns of the event loop after it was sent, everything has arrived. */
const turnsOfArrival = 20;

interface Pending {
  readonly at: number;
  readonly isDeadline: boolean;
  readonly end: () => void;
}

/**
 * Time that passes only while a client waits: a pause ends at once, and a limit when the other side
 * has gone silent. One request at a time.
 */
export class SimulatedTime {
  #now = Date.UTC(2027, 2, 1, 9);
  #limits = new Set<Pending>();
  /** Limits that were set before the latest request arrived. */
  #ofRequest: readonly Pending[] = [];

  readonly clock = {
    now: () => this.#now,
    date: () => this.#now,
    sleep: (ms: number, signal?: AbortSignal) => this.#sleep(ms, signal),
  };

  install(): void {
    globalThis.setTimeout = Object.assign(
      (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
        ms < minLimit ? setReally(work, ms, ...values) : this.#add(ms, () => work(...values)),
      setReally,
    ) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      if (!this.#limits.delete(timer as unknown as Pending)) clearReally(timer);
    };
    AbortSignal.timeout = (ms) => {
      if (ms < minLimit) return abortReally.call(AbortSignal, ms);
      const controller = new AbortController();
      this.#add(ms, () => controller.abort(new DOMException('The time is over.', 'TimeoutError')));
      return controller.signal;
    };
    performance.now = () => this.#now;
    timers.setTimeout = (async (ms = 0, value?: unknown, { signal } = {}) => {
      await this.#sleep(ms, signal);
      return value;
    }) as typeof timers.setTimeout;
  }

  restore(): void {
    globalThis.setTimeout = setReally;
    globalThis.clearTimeout = clearReally;
    AbortSignal.timeout = abortReally;
    performance.now = tellReally;
    timers.setTimeout = waitReally;
  }

  /** Another story begins, at this time. */
  restart(now = this.#now): void {
    this.#now = now;
    this.#limits.clear();
  }

  /** A request has arrived: what ends it was set before. */
  arrived(): void {
    this.#ofRequest = [...this.#limits];
  }

  /** Time passes while a response is on its way. */
  pass(ms: number): void {
    this.#now += ms;
    for (const limit of this.#limits)
      if (limit.isDeadline && limit.at <= this.#now) this.#end(limit);
  }

  /** The other side says nothing more. False when no limit would ever end the request. */
  async silent(response: ServerResponse): Promise<boolean> {
    for (let turn = 0; turn < turnsOfArrival; turn += 1) await nextTurn();
    const pending = this.#ofRequest.filter((limit) => this.#limits.has(limit));
    if (pending.length === 0) {
      response.destroy();
      return false;
    }
    // A try may be nested in another one, and signals of earlier tries end nothing any more.
    const ofTries = pending.filter(({ isDeadline }) => !isDeadline).map(({ at }) => at);
    const ofDeadlines = pending.filter(({ isDeadline }) => isDeadline).map(({ at }) => at);
    const end = Math.min(...ofDeadlines, ...(ofTries.length > 0 ? [Math.max(...ofTries)] : []));
    this.#now = Math.max(this.#now, end);
    for (const limit of pending) if (limit.at <= this.#now) this.#end(limit);
    return true;
  }

  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!deadlines.has(ms)) {
      // Some waiters find out at once that they need not wait.
      await nextTurn();
      signal?.throwIfAborted();
      this.pass(ms);
      signal?.throwIfAborted();
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const limit = this.#add(ms, resolve, true);
      signal?.addEventListener(
        'abort',
        () => {
          this.#limits.delete(limit);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  #end(limit: Pending): void {
    this.#limits.delete(limit);
    limit.end();
  }

  #add(ms: number, end: () => void, isDeadline = false): Pending {
    const limit = { at: this.#now + ms, isDeadline, end };
    this.#limits.add(limit);
    return limit;
  }
}
