import { InvalidArgumentError, Option } from 'commander';
import type { DeliveryState } from '../database/stored-values.ts';
import type { Relay } from '../relay.ts';

const msOf: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

/** Other commands have a `--to` for a time. */
class DatabaseOption extends Option {
  override attributeName(): string {
    return 'toDatabase';
  }
}

/** Each means the same in every command. The relay checks the values that only it knows. */
export const options = {
  source: new Option('--source <name>', 'name of a source (default: all)'),
  subscription: new Option('--subscription <id>', 'ID or name of a subscription'),
  event: new Option('--event <id>', 'ID of an event'),
  state: new Option('--state <state>', 'pending, delivered, ignored, or dead'),
  type: new Option('--type <type>', 'type of the events'),
  from: new Option('--from <time>', 'events since then, such as 2027-03-01T09:00:00Z'),
  to: new Option('--to <time>', 'events before then'),
  deliveries: new Option('--deliveries <ids>', 'IDs of deliveries, with commas').argParser(
    readList,
  ),
  states: new Option(
    '--states <states>',
    'pending, delivered, ignored or dead; several with commas',
  ).argParser(readList),
  missing: new Option('--missing', 'events of its types that it has no delivery of'),
  of: new Option('--of <id>', 'what another subscription still had to get'),
  now: new Option('--now', 'end the previous ones at once, such as after a leak'),
  rights: new Option(
    '--rights <rights>',
    'subscribe (default), read or manage; several with commas',
  ),
  limit: new Option('--limit <count>', 'records of a page, 1 to 200').argParser(Number),
  maxConcurrency: new Option('--max-concurrency <count>', 'most deliveries at once, 1 to 16')
    .argParser(Number)
    .makeOptionMandatory(),
  cursor: new Option('--cursor <cursor>', 'printed at the end of the page before'),
  olderThan: new Option('--older-than <age>', 'age in days or hours, such as 30d or 12h')
    .argParser(readAge)
    .makeOptionMandatory(),
  toDatabase: new DatabaseOption(
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
  readonly toDatabase: string;
  readonly maxConcurrency: number;
}

interface Values {
  readonly limit: number;
  readonly now: boolean;
  readonly missing: true;
  readonly deliveries: string[];
  readonly states: DeliveryState[];
  readonly state: DeliveryState;
}

/** What `run` gets. The relay checks the texts, and that a limit or state is one. */
type Given<Name extends OptionName> = Pick<Needed, Extract<Name, keyof Needed>> & {
  readonly [Each in Exclude<Name, keyof Needed>]?: Each extends keyof Values
    ? Values[Each]
    : string;
};

function readAge(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const ms = msOf[unit];
  if (ms !== undefined) return Number(digits) * ms;
  throw new InvalidArgumentError('Give days or hours, such as 30d or 12h.');
}

function readList(text: string): string[] {
  return text.split(/[ ,]+/).filter((one) => one !== '');
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
  /**
   * What is printed: as JSON, or as lines of names and values. Undefined if it has printed already.
   */
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
