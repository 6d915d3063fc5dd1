import type { Relay } from '../relay.ts';
import type { Given, OptionName } from './command-options.ts';

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
export interface CommandTools {
  readonly readSecret: () => Promise<string>;
  /** Where the relay that serves is reached. */
  readonly relayUrl: string;
}

type Arguments<Names extends readonly string[]> = Names extends readonly [`[${string}]`]
  ? readonly string[]
  : { readonly [Name in keyof Names]: string };

interface Definition<Names extends readonly string[], Option extends OptionName> {
  readonly does: string;
  /** Names of its arguments; in brackets if they are optional. */
  readonly takes?: Names;
  readonly options?: readonly Option[];
  /** Whether it runs although the secrets in the database cannot be decrypted. */
  readonly isForLostKey?: boolean;
  /** Whether it creates the data folder of a new relay. */
  readonly isForNewFolder?: boolean;
  /** What is printed: as JSON, or as lines of names and values. */
  run(
    relay: Relay,
    args: Arguments<Names>,
    options: Given<Option>,
    tools: CommandTools,
  ): Promise<unknown>;
}

export type Command = Definition<readonly string[], OptionName>;
/** By the words that choose it, such as `sources add`. */
export type Commands = Readonly<Record<string, Command>>;

/** Gives `run` the types of the command's arguments and options. */
export function command<
  const Names extends readonly string[] = readonly [],
  const Option extends OptionName = never,
>(definition: Definition<Names, Option>): Command {
  return definition as unknown as Command;
}

/** The command line or an environment variable is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
