import { siblingPath, startWorker } from '../../lib/worker.ts';
import type { Heard, Request } from './receivers.ts';

export class Receivers {
  readonly #worker = startWorker<Request, Heard>(siblingPath(import.meta.url, 'receivers.ts'));

  async open(count: number, delayMs = 0): Promise<readonly string[]> {
    return (await this.#worker.ask({ open: { count, delayMs } })).urls;
  }

  /** The latencies of what arrived since the last time; waits until it is so many. */
  async heard(until = 0): Promise<readonly number[]> {
    return (await this.#worker.ask({ until })).latencies;
  }

  kill(): void {
    this.#worker.stop();
  }
}
