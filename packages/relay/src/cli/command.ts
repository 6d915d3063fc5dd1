import type { Relay } from '../relay.ts';

export interface Command {
  readonly usage: string;
  readonly does: string;
  /** What is printed: as JSON, or as lines of names and values. */
  run(
    relay: Relay,
    args: readonly string[],
    readSecret: () => Promise<string>,
    /** Where the relay that serves is reached. */
    relayUrl: string,
  ): Promise<unknown>;
}
