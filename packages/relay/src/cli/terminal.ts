import type { Environment } from './settings.ts';

export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly environment: Environment;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}
