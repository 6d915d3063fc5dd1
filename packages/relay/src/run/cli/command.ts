import { InvalidArgumentError, Option } from 'commander';
import type { Relay } from '../../relay.ts';

const msOf: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

/** Each means the same in every command. The relay checks the values that only it knows. */
export const options = {
  source: new Option('--source <name>', 'name of a source (default: all)'),
  type: new Option('--type <type>', 'type of the events'),
  now: new Option('--now', 'end the previous ones at once, such as after a leak'),
  rights: new Option(
    '--rights <rights>',
    'subscribe (default), read or manage; several with commas',
  ),
  olderThan: new Option('--older-than <age>', 'age in days or hours, such as 30d or 12h')
    .argParser(readAge)
    .makeOptionMandatory(),
  to: new Option(
    '--to <url>',
    'empty PostgreSQL database, such as postgres://relay:PASSWORD@db.example.com/relay',
  ).makeOptionMandatory(),
  forwardTo: new Option(
    '--forward-to <url>',
    'address of your program, such as http://localhost:3000/webhook',
  )
    .argParser(readUrl)
    .makeOptionMandatory(),
};

type OptionName = keyof typeof options;

interface Needed {
  readonly olderThan: number;
  readonly forwardTo: URL;
  readonly to: string;
}

/** What `run` gets. The relay checks the texts. */
type Given<Name extends OptionName> = Pick<Needed, Extract<Name, keyof Needed>> & {
  readonly [Each in Exclude<Name, keyof Needed>]?: Each extends 'now' ? boolean : string;
};

function readAge(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const ms = msOf[unit];
  if (ms !== undefined) return Number(digits) * ms;
  throw new InvalidArgumentError('Give days or hours, such as 30d or 12h.');
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError(
    'Give the URL of your program, such as http://localhost:3000/webhook.',
  );
}

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

export interface Command {
  readonly does: string;
  /** Names of its arguments. */
  readonly takes: readonly string[];
  readonly options: readonly Option[];
  /** Whether it runs although the secrets in the database cannot be decrypted. */
  readonly isForLostKey?: boolean;
  /** Whether it creates the data folder of a new relay. */
  readonly isForNewFolder?: boolean;
  /**
   * What is printed: as JSON, or as lines of names and values. Undefined if it has printed already.
   */
  run(
    relay: Relay,
    args: readonly string[],
    options: Given<'source'>,
    tools: CommandTools,
  ): Promise<unknown>;
}

interface Definition<Names extends readonly string[], Name extends OptionName>
  extends Pick<Command, 'does' | 'isForLostKey' | 'isForNewFolder'> {
  readonly takes?: Names;
  readonly options?: readonly Name[];
  run(
    relay: Relay,
    args: { readonly [Each in keyof Names]: string },
    options: Given<Name>,
    tools: CommandTools,
  ): Promise<unknown>;
}

/** By the words that choose it, such as `sources add`. */
export type Commands = Readonly<Record<string, Command>>;

/** Gives `run` the types of the command's arguments and options. */
export function command<
  const Names extends readonly string[] = readonly [],
  const Name extends OptionName = never,
>({ takes, options: names = [], ...rest }: Definition<Names, Name>): Command {
  const made = { ...rest, takes: takes ?? [], options: names.map((name) => options[name]) };
  return made as unknown as Command;
}

/** The command line or an environment variable is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
