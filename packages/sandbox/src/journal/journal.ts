/** One request to the service and what became of it. Holds no secret. */
export interface JournalEntry {
  readonly id: number;
  /** On the sandbox clock. */
  readonly at: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Name of the catalogue's operation, `token`, or null for a path that is not offered. */
  readonly operation: string | null;
  /** Id of the calling access; null when it is not known. */
  readonly access: string | null;
  /** What the authorization header held, never its value. */
  readonly authorization: 'none' | 'api key' | 'access token' | 'other';
  readonly requestBody: string | null;
  /** Null when a fault cut the connection. */
  readonly status: number | null;
  /** Real milliseconds. */
  readonly durationMs: number;
  /** Which faults struck. */
  readonly faults: readonly string[];
}

/** The latest requests, oldest first. */
export class Journal {
  readonly #kept = 1000;
  #entries: JournalEntry[] = [];
  #lastId = 0;

  record(entry: Omit<JournalEntry, 'id'>): void {
    this.#lastId += 1;
    this.#entries.push({ id: this.#lastId, ...entry });
    if (this.#entries.length > this.#kept) this.#entries.shift();
  }

  list(): JournalEntry[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }
}
