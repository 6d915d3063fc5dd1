/** How often something may happen for each source in a second: forged requests must cost little. */
export class RateBound {
  readonly #most: number;
  readonly #counts = new Map<number, { readonly second: number; readonly count: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts what it allows. `now` in milliseconds since 1970. */
  allows(source: number, now: number): boolean {
    const second = Math.floor(now / 1000);
    const last = this.#counts.get(source);
    const count = last?.second === second ? last.count : 0;
    if (count >= this.#most) return false;
    this.#counts.set(source, { second, count: count + 1 });
    return true;
  }
}
