/** Far more than one process has of anything that it keeps in one. */
const usualMax = 1000;

/**
 * What a process remembers about accesses and triggers. It may run for months while credentials
 * change, so the least recently used entry is dropped.
 */
export class LruMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number = usualMax) {
    this.#max = max;
  }

  /** Returns the entry under the key, and creates it if it is missing. */
  get(key: string, make: () => Value): Value {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
