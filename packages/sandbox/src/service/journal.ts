/** One request to the service and its result. Contains no secret. */
export interface JournalEntry {
  readonly id: number;
  /** Time of the sandbox clock. */
  readonly at: string;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** The operation's name in the catalogue, `token`, or null for an unknown path. */
  readonly operation: string | null;
  /** ID of the calling access; null if unknown. */
  readonly access: string | null;
  /** The kind of authorization header, never its value. */
  readonly authorization: 'none' | 'api key' | 'access token' | 'other';
  readonly requestBody: string | null;
  /** The start of it; null if there was none, or if a fault cut the connection. */
  readonly responseBody: string | null;
  /** Null if a fault cut the connection. */
  readonly status: number | null;
  /** Real milliseconds. */
  readonly durationMs: number;
  /** The faults that were triggered. */
  readonly faults: readonly string[];
}

/** The latest requests, oldest first. */
export class RequestJournal {
  readonly #kept = 1000;
  readonly #log: (line: string) => void;
  #entries: JournalEntry[] = [];
  #lastId = 0;

  /** `log` receives a line for each request. */
  constructor(log: (line: string) => void = () => undefined) {
    this.#log = log;
  }

  record(entry: Omit<JournalEntry, 'id'>): void {
    this.#lastId += 1;
    this.#entries.push({ id: this.#lastId, ...entry });
    const { at, method, path, status, access, faults } = entry;
    const words = [status ?? 'cut', method.padEnd(4), path, access, ...faults];
    this.#log(logLine(at, words.filter((word) => word !== null).join('  ')));
    if (this.#entries.length > this.#kept) this.#entries.shift();
  }

  list(): JournalEntry[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }
}

/** A line for a terminal, with the time by the sandbox clock. */
export function logLine(at: string, text: string): string {
  return `${at.slice(11, 19)}  ${text}`;
}
