import type { Lease, Vacancy } from './leases.ts';

/** If no other subscription was delivered to for this long, one has the process to itself. */
const aloneAfterMs = 1_000;
/** A subscriber that takes longer than this to respond is slow. */
export const slowAfterMs = 250;
/** How long one keeps its place while others wait. */
const sliceMs = 1_000;
/** For subscribers that turn out to be slow: each costs a connection and no processor time. */
const mostSlowPerPlace = 10;

/** A subscription that this process delivers to now. */
interface Served {
  readonly work: Promise<void>;
  readonly since: number;
  isSlow: boolean;
}

/**
 * How many subscriptions a process delivers to at once, and to which it does. Subscribers that fail
 * or are slow get at most half of the places. Those that turn out to be slow lend theirs to others.
 */
export class Places implements Vacancy {
  readonly #limit: number;
  readonly #onFree: () => void;
  readonly #served = new Map<Lease, Served>();
  /** Subscriptions whose last response was slow. */
  readonly slow = new Set<number>();
  /** When two were last taken at once, on the monotonic clock. */
  #sharedAt = Number.NEGATIVE_INFINITY;

  /** Calls `onFree` when a place becomes free before its work ends. */
  constructor(limit: number, onFree: () => void = () => undefined) {
    this.#limit = limit;
    this.#onFree = onFree;
  }

  get free(): number {
    const lent = Math.max(0, this.#slowCount - this.#half);
    const most = Math.min(this.#limit, this.#limit * mostSlowPerPlace - lent);
    return Math.max(0, most - (this.#served.size - lent));
  }

  get freeForSlow(): number {
    return Math.max(0, this.#half - this.#slowCount);
  }

  get leases(): readonly Lease[] {
    return [...this.#served.keys()];
  }

  /** Whether one subscription has had this process to itself for a while. */
  get isUnshared(): boolean {
    return performance.now() - this.#sharedAt > aloneAfterMs;
  }

  /** Holds a place until the work ends. */
  take(lease: Lease, work: Promise<void>): void {
    const isSlow = this.isKnownSlow(lease);
    this.#served.set(lease, { work, since: performance.now(), isSlow });
    if (this.#served.size > 1) this.#sharedAt = performance.now();
  }

  isKnownSlow({ failuresInARow, subscription }: Lease): boolean {
    return failuresInARow > 0 || this.slow.has(subscription);
  }

  /** What is known of a subscriber, while it has not yet responded or once it has. */
  responds(lease: Lease, isSlow: boolean): void {
    const served = this.#served.get(lease);
    if (isSlow) this.slow.add(lease.subscription);
    else this.slow.delete(lease.subscription);
    if (!served || served.isSlow === isSlow) return;
    served.isSlow = isSlow;
    if (isSlow) this.#onFree();
  }

  /** Whether this one has had its slice of time, and others may be waiting for its place. */
  mustYield(lease: Lease): boolean {
    const served = this.#served.get(lease);
    if (!served || performance.now() - served.since < sliceMs) return false;
    return this.free <= 0 || (served.isSlow && this.freeForSlow <= 0);
  }

  give(lease: Lease): void {
    this.#served.delete(lease);
  }

  async allFree(): Promise<void> {
    await Promise.all([...this.#served.values()].map(({ work }) => work));
  }

  get #half(): number {
    return Math.ceil(this.#limit / 2);
  }

  get #slowCount(): number {
    return [...this.#served.values()].filter(({ isSlow }) => isSlow).length;
  }
}
