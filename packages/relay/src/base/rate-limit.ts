/** How often something may happen for each key in a time. Each process counts for itself. */
export class RateLimit<Key> {
  readonly #most: number;
  readonly #perMs: number;
  readonly #counts = new Map<Key, number>();
  #startedAt = 0;

  constructor(most: number, perMs: number) {
    this.#most = most;
    this.#perMs = perMs;
  }

  /** Counts one at `now`. Returns how many milliseconds it is too early; 0 if it is allowed. */
  count(key: Key, now: number): number {
    if (now < this.#startedAt || now - this.#startedAt >= this.#perMs) {
      this.#startedAt = now;
      this.#counts.clear();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#most ? 0 : this.#startedAt + this.#perMs - now;
  }
}
