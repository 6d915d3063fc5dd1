import type { Clock, Transport } from '@screen-advertising/core';

/**
 * A transport that counts the moments of a call: before and after each request and each wait.
 * At the chosen one it strikes, `promisesLater` promises later.
 */
export class Moments {
  count = 0;
  readonly #chosen: number;
  readonly #promisesLater: number;
  readonly #strike: () => void;

  constructor(chosen: number, promisesLater: number, strike: () => void) {
    this.#chosen = chosen;
    this.#promisesLater = promisesLater;
    this.#strike = strike;
  }

  /** The same transport and clock, counted. To the client each result is a separate process. */
  of({ clock, send }: Transport): Transport {
    const counted: Clock = {
      now: () => clock.now(),
      sleep: (ms, signal) => this.#around(() => clock.sleep(ms, signal)),
    };
    return { clock: counted, send: (request) => this.#around(() => send(request)) };
  }

  async #around<T>(work: () => Promise<T>): Promise<T> {
    await this.#pass();
    try {
      return await work();
    } finally {
      await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    this.count += 1;
    if (this.count !== this.#chosen) return;
    if (this.#promisesLater === 0) this.#strike();
    else void this.#strikeLater();
  }

  async #strikeLater(): Promise<void> {
    for (let nth = 0; nth < this.#promisesLater; nth += 1) await undefined;
    this.#strike();
  }
}
