import { now } from './now.ts';

/** Milliseconds from the request of the service to each arrival since they were last taken. */
export class Arrivals {
  #latencies: number[] = [];
  #onArrival: () => void = () => undefined;

  add(sentAt: number): void {
    this.#latencies.push(now() - sentAt);
    this.#onArrival();
  }

  /** Waits until there are so many. */
  async take(until: number): Promise<readonly number[]> {
    await new Promise<void>((resolve) => {
      this.#onArrival = () => {
        if (this.#latencies.length >= until) resolve();
      };
      this.#onArrival();
    });
    const taken = this.#latencies;
    this.#latencies = [];
    return taken;
  }
}
