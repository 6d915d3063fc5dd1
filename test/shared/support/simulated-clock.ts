import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@screen-advertising/core';

/** Time that stands still until a test moves it. `isIdle` knows work that no promise shows. */
export class SimulatedClock implements Clock {
  readonly #isIdle: () => boolean;
  /** In the order in which they wake. */
  #sleepers: { readonly at: number; wake(): void }[] = [];
  #now: number;

  constructor(isIdle: () => boolean = () => true, startsAt: number = Date.UTC(2027, 2, 1, 9)) {
    this.#isIdle = isIdle;
    this.#now = startsAt;
  }

  now(): number {
    return this.#now;
  }

  date(): number {
    return this.#now;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = (end: () => void): void => {
        signal?.removeEventListener('abort', abort);
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        end();
      };
      const abort = () => leave(() => reject(signal?.reason));
      const sleeper = { at: this.#now + ms, wake: () => leave(resolve) };
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleepers.push(sleeper);
      this.#sleepers.sort((one, other) => one.at - other.at);
    });
  }

  /** Lets everything happen that can happen without time passing: three turns without work. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.#isIdle() ? quiet + 1 : 0) await nextTurn();
  }

  /** Lets time pass, waking every sleeper at its own time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.settle();
    for (let [next] = this.#sleepers; next && next.at <= end; [next] = this.#sleepers) {
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await this.settle();
    }
    this.#now = end;
  }

  /** Lets as much time pass as `work` needs, and returns its result. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await this.settle();
    while (!isDone) {
      const [next] = this.#sleepers;
      if (!next) throw new Error('The work waits for something other than time.');
      await this.advance(next.at - this.#now);
    }
    return work;
  }
}
