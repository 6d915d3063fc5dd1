/** What the program reads and writes. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** False if what it writes goes to a log or another program, where keys would stay. */
  readonly isSeen: boolean;
  /** Whether a person reads what it writes as errors, such as the log. */
  readonly isLogSeen: boolean;
  readonly readInput: () => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** The command line or an environment variable is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
