import type { RelayContext } from '../context.ts';

/** Work that never overlaps with itself in this process. A call during a run starts another run. */
export class Chore {
  readonly #context: RelayContext;
  readonly #work: (mustStop: () => boolean) => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  constructor(context: RelayContext, work: (mustStop: () => boolean) => Promise<void>) {
    this.#context = context;
    this.#work = work;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#again = true;
    this.#running ??= this.#context.clock.track(this.#run());
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false;
        await this.#work(() => this.#isStopped);
      }
    } catch (error) {
      // The next run retries.
      this.#context.report(error);
    } finally {
      this.#running = undefined;
    }
  }
}
