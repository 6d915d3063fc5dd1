import { setTimeout as wait } from 'node:timers/promises';
import type { ScheduledClock } from '@screen-advertising/server-kit';

interface TaskOptions {
  readonly clock: ScheduledClock;
  /** Gets the error of a failed run. The next call retries. */
  readonly report: (error: unknown) => void;
  /** Shortest time between two runs, in milliseconds. Default: none. */
  readonly pauseMs?: () => number;
}

/** Work that never overlaps with itself in this process. Calls during a run start one more run. */
export class CoalescedTask {
  readonly #work: (mustStop: () => boolean) => Promise<void>;
  readonly #options: TaskOptions;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isStopped = false;

  constructor(work: (mustStop: () => boolean) => Promise<void>, options: TaskOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Resolves when no run is left; also if one failed. */
  async wake(): Promise<void> {
    if (this.#isStopped) return;
    this.#isDue = true;
    this.#running ??= this.#options.clock.track(this.#run());
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, pauseMs, report } = this.#options;
    try {
      while (this.#isDue && !this.#isStopped) {
        this.#isDue = false;
        await this.#work(() => this.#isStopped);
        if (this.#isDue && pauseMs !== undefined && !clock.isFrozen) await wait(pauseMs());
      }
    } catch (error) {
      report(error);
    } finally {
      this.#running = undefined;
    }
  }
}
