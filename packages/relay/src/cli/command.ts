import type { Relay } from '../relay.ts';

/** What a command may use in addition to the relay and its arguments. */
export interface CommandTools {
  readonly readSecret: () => Promise<string>;
  /** Where the relay that serves is reached. */
  readonly relayUrl: string;
  /** For commands that run until they are stopped. */
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly isJson: boolean;
  readonly stop: AbortSignal;
}

export interface Command {
  readonly usage: string;
  readonly does: string;
  /** Whether it runs although the secrets in the database cannot be decrypted. */
  readonly isForLostKey?: boolean;
  /** Whether it creates the data folder of a new relay. */
  readonly isForNewFolder?: boolean;
  /**
   * What is printed: as JSON, or as lines of names and values. Undefined if it has printed already.
   */
  run(relay: Relay, args: readonly string[], tools: CommandTools): Promise<unknown>;
}
