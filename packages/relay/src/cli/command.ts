import type { Relay } from '../relay.ts';

/** What the program reads and writes. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** What a command may use in addition to the relay and its arguments. */
export interface CommandTools extends Pick<Terminal, 'write' | 'writeError' | 'stop'> {
  readonly readSecret: () => Promise<string>;
  /** Where the relay that serves is reached. */
  readonly relayUrl: string;
  readonly isJson: boolean;
}

type Options<Name extends string> = { readonly [Each in Name]?: string };

interface Definition<Args extends readonly string[], Option extends string> {
  readonly does: string;
  /** Names of its arguments. Without them, it checks its arguments itself. */
  readonly takes?: Args;
  /** Options that take a value each. */
  readonly options?: readonly Option[];
  /** Whether it runs although the secrets in the database cannot be decrypted. */
  readonly isForLostKey?: boolean;
  /** Whether it creates the data folder of a new relay. */
  readonly isForNewFolder?: boolean;
  /**
   * What is printed: as JSON, or as lines of names and values. Undefined if it has printed already.
   */
  run(
    relay: Relay,
    args: { readonly [Name in keyof Args]: string },
    options: Options<Option>,
    tools: CommandTools,
  ): Promise<unknown>;
}

export type Command = Definition<readonly string[], string>;

/** Gives `run` the types of the command's arguments and options. */
export function command<
  const Args extends readonly string[] = readonly string[],
  const Option extends string = never,
>(definition: Definition<Args, Option>): Command {
  return definition as unknown as Command;
}

/** The command line or an environment variable is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
