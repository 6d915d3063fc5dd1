/** Something that shares a rate limit with others, such as a client. */
export interface Caller {
  /** Requests sent so far. */
  sent: number;
}

/**
 * Requests that wait for a slot. Callers take turns, so that one with a thousand requests does not
 * hold up another with two. Each caller's own requests keep their order.
 */
export class CallerQueue<Entry extends { readonly caller: Caller }> {
  /** Requests that were refused: they go before all others. */
  readonly #refused: Entry[] = [];
  /** The caller whose turn is next comes first. */
  readonly #lines = new Map<Caller, Entry[]>();

  get isEmpty(): boolean {
    return this.#refused.length === 0 && this.#lines.size === 0;
  }

  /** Returns how many requests certainly go before the new one. */
  add(entry: Entry, isRefused: boolean): number {
    if (isRefused) return this.#refused.push(entry) - 1;
    const line = this.#lines.get(entry.caller) ?? [];
    this.#lines.set(entry.caller, line);
    const before = line.push(entry) - 1;
    let ahead = this.#refused.length + before;
    for (const other of this.#lines.values()) {
      if (other !== line) ahead += Math.min(other.length, before);
    }
    return ahead;
  }

  /** Takes out the next request of a caller that may send one now. */
  take(maySend: (caller: Caller) => boolean): Entry | undefined {
    const again = this.#refused.find(({ caller }) => maySend(caller));
    if (again) {
      this.remove(again);
      return again;
    }
    for (const [caller, line] of this.#lines) {
      if (!maySend(caller)) continue;
      const next = line.shift();
      // Its next turn comes after those of all others.
      this.#lines.delete(caller);
      if (line.length > 0) this.#lines.set(caller, line);
      return next;
    }
    return undefined;
  }

  /** Returns false if the request no longer waits. */
  remove(entry: Entry): boolean {
    const own = this.#lines.get(entry.caller) ?? [];
    const line = own.includes(entry) ? own : this.#refused;
    const at = line.indexOf(entry);
    if (at < 0) return false;
    line.splice(at, 1);
    if (own.length === 0) this.#lines.delete(entry.caller);
    return true;
  }

  /** The callers with requests that wait. */
  callers(): Set<Caller> {
    return new Set([...this.#refused.map(({ caller }) => caller), ...this.#lines.keys()]);
  }

  /** All requests that wait. */
  all(): Entry[] {
    return [...this.#refused, ...[...this.#lines.values()].flat()];
  }
}
