import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Transport } from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** After this many idle turns of the event loop, every caller must be waiting for time to pass. */
const quietTurns = 5;

/** Shares the sandbox's frozen clock with its callers and jumps ahead once all of them wait. */
export class SimulatedTime {
  readonly #sandbox: Sandbox;
  readonly #sleepers = new Set<Sleeper>();
  #underWay = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  now(): number {
    return this.#sandbox.clock.now();
  }

  /** The clock of one process. Callers share state by clock, so processes share none. */
  newClock(): Clock {
    return { now: () => this.now(), sleep: (ms, signal) => this.#sleep(ms, signal) };
  }

  /** The same transport, with its requests under watch. */
  watch(transport: Transport, clock: Clock): Transport {
    return {
      clock,
      send: async (request) => {
        this.#underWay += 1;
        try {
          return await transport.send(request);
        } finally {
          this.#underWay -= 1;
        }
      },
    };
  }

  /** Lets as much time pass as the work needs. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await this.#untilQuiet();
      await this.#jump();
    }
    await ended;
  }

  async #untilQuiet(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet = this.#underWay === 0 ? quiet + 1 : 0) {
      await nextTurn();
    }
  }

  async #jump(): Promise<void> {
    const next = Math.min(...[...this.#sleepers].map(({ at }) => at));
    if (!Number.isFinite(next)) return;
    await this.#sandbox.clock.advance(Math.max(0, next - this.now()));
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= next) sleeper.wake();
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        at: this.now() + ms,
        wake: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }
}
