import type { Lease } from './leases.ts';

/** If no other subscription was delivered to for this long, one has the process to itself. */
const aloneAfterMs = 1_000;

/** How many subscriptions a process delivers to at once, and to which it does. */
export class Places {
  readonly #limit: number;
  readonly #taken = new Map<Lease, Promise<void>>();
  /** When two were last taken at once, on the monotonic clock. */
  #sharedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get free(): number {
    return this.#limit - this.#taken.size;
  }

  /** Failing subscribers, which may hang, get at most half of the places. */
  get freeForFailing(): number {
    const failing = this.leases.filter((lease) => lease.failuresInARow > 0).length;
    return Math.max(0, Math.ceil(this.#limit / 2) - failing);
  }

  get leases(): readonly Lease[] {
    return [...this.#taken.keys()];
  }

  /** Whether one subscription has had this process to itself for a while. */
  get isUnshared(): boolean {
    return performance.now() - this.#sharedAt > aloneAfterMs;
  }

  /** Holds a place until the work ends. */
  take(lease: Lease, work: Promise<void>): void {
    this.#taken.set(lease, work);
    if (this.#taken.size > 1) this.#sharedAt = performance.now();
  }

  give(lease: Lease): void {
    this.#taken.delete(lease);
  }

  async allFree(): Promise<void> {
    await Promise.all(this.#taken.values());
  }
}
