import { InvalidArgumentError, Option } from 'commander';
import type { DeliveryState } from '../database/stored-values.ts';

const msOf: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

/** Each means the same in every command. The relay checks the values that only it knows. */
export const options = {
  source: new Option('--source <name>', 'name of a source (default: all)'),
  subscription: new Option('--subscription <id>', 'ID or name of a subscription'),
  event: new Option('--event <id>', 'ID of an event'),
  state: new Option('--state <state>', 'pending, delivered, ignored, or dead'),
  type: new Option('--type <type>', 'type of the events'),
  from: new Option('--from <time>', 'events since then, such as 2027-03-01T09:00:00Z'),
  to: new Option('--to <time>', 'events before then'),
  since: new Option('--since <time>', 'start of the period, such as 2027-03-01T09:00:00Z'),
  until: new Option('--until <time>', 'end of the period (default: now)'),
  rights: new Option(
    '--rights <rights>',
    'subscribe (default), read or manage; several with commas',
  ),
  limit: new Option('--limit <count>', 'records of a page, 1 to 200').argParser(Number),
  maxPerMinute: new Option(
    '--max-per-minute <count>',
    'most attempts in any minute, 1 to 6000, or none',
  ).argParser((text) => (text === 'none' ? text : Number(text))),
  maxConcurrency: new Option(
    '--max-concurrency <count>',
    'most deliveries at once, 1 to 16',
  ).argParser(Number),
  cursor: new Option('--cursor <cursor>', 'printed at the end of the page before'),
  olderThan: new Option('--older-than <age>', 'age in days or hours, such as 30d or 12h')
    .argParser(readAge)
    .makeOptionMandatory(),
};

export type OptionName = keyof typeof options;

interface Needed {
  readonly olderThan: number;
}

interface Values {
  readonly limit: number;
  readonly maxPerMinute: number | 'none';
  readonly maxConcurrency: number;
  readonly state: DeliveryState;
}

/** What `run` gets. The relay checks the texts, and that a limit or state is one. */
export type Given<Name extends OptionName> = Pick<Needed, Extract<Name, keyof Needed>> & {
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
