import type { Operation } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { type FormField, formFields } from '@screen-advertising/core/forms';
import { shownOperations } from '@screen-advertising/core/lead-coupons';
import { accessVariables } from '@screen-advertising/core/platform';
import { qrCodeForm, separateQrCodeFields } from '@screen-advertising/core/qr-code';
import { Command, InvalidArgumentError, Option } from 'commander';
import { exitCodeMeanings, UsageError } from './exit-code.ts';
import type { OutputFormat } from './output.ts';
import { profileHelp } from './profile.ts';

export interface Output {
  /** Rejects if the text cannot be written, such as on a full disk. */
  readonly write: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly appendFile: (path: string, text: string) => Promise<void>;
}

export interface Terminal extends Output {
  /** The version of this package. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches the error output, where progress is shown. */
  readonly isWatched: boolean;
  /** Characters in a line. Undefined where the output goes to a file or program. */
  readonly columns: number | undefined;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

export type OptionValues = Readonly<Record<string, unknown>>;

type Search = (typeof compoundOperations)['screen.findAvailable' | 'screen.findNearby'];

/** Commands beside `call`, which make many requests each. */
const searches: Readonly<Record<string, Search>> = {
  'find-available': compoundOperations['screen.findAvailable'],
  'find-nearby': compoundOperations['screen.findNearby'],
};

/** The fields for a QR code, with a PNG or SVG file for it, or true for the terminal. */
export type QrCodeFields = OptionValues & { readonly qr?: string | true | undefined };

interface Given {
  readonly input: OptionValues;
  readonly shape: Omit<OutputFormat, 'columns'>;
  readonly qrCode: QrCodeFields;
  /** A CSV file with a row for each request, and the one for the results. */
  readonly rows: { readonly file: string; readonly results: string } | undefined;
  readonly profile: string | undefined;
}

/** Runs a catalogue entry that was parsed from the command line. */
export type ExecuteTask = (task: Operation | Search, given: Given) => Promise<void>;

const notes = `
Environment variables (arguments would show in process lists):
  ${Object.values(accessVariables).join('\n  ')}

${profileHelp}
Exit codes, the same for every command:
${exitCodeMeanings.map(({ exitCode, meaning }) => `  ${String(exitCode).padEnd(5)}${meaning}`).join('\n')}
`;

/** The command line, built from the catalogue. Throws CommanderError for invalid arguments. */
export function createCommandLine(
  { version, write, writeError }: Output & Pick<Terminal, 'version'>,
  execute: ExecuteTask,
): Command {
  const root = new Command('screen-advertising')
    .description('The partner interface of the Screen Advertising service in your shell.')
    .version(version, '-V, --version', 'print the version')
    .option('--profile <name>', 'use the access of this profile')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void write(text).catch(() => undefined),
      writeErr: writeError,
      outputError: (words, put) => put(withoutValues(words)),
    })
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', notes);
  const call = root
    .command('call')
    .description('runs one operation and prints the response as JSON');
  for (const operation of shownOperations) add(call, operation.name, operation, execute);
  for (const [name, search] of Object.entries(searches)) add(root, name, search, execute);
  return root;
}

/** Adds `complete`, which prints a script for a shell. All other commands must be there. */
export async function addCompletionCommand(root: Command, isUsed: boolean): Promise<void> {
  if (isUsed) {
    const { default: tab } = await import('@bomb.sh/tab/commander');
    tab(root);
    return;
  }
  root
    .command('complete')
    .argument('<shell>', 'bash, fish or zsh')
    .description('prints a script that completes commands and options in your shell');
}

/** A value typed in the wrong place may be a secret, so errors never quote it. */
function withoutValues(words: string): string {
  return words
    .replace(/^(error: unknown option '[^=']*)=.*'/s, "$1'")
    .replace(/^(error: unknown (?:option|command)) '(.*)'$/ms, (all, what, name) =>
      /^[A-Za-z._-]{1,30}$/.test(name) && !/svc_|rly_|whsec_/i.test(name) ? all : what,
    )
    .replace(/(argument) '.*' (is invalid)/s, '$1 $2');
}

function add(
  parent: Command,
  name: string,
  task: Parameters<ExecuteTask>[0],
  execute: ExecuteTask,
): void {
  const { title, description, scopes } = task;
  const summary = description.charAt(0).toLowerCase() + description.slice(1, -1);
  const command = parent
    .command(name)
    .summary(parent.parent ? title : summary)
    .description(`${description} Needs the scope ${scopes.join(' or ')}.`)
    .option('-t, --table', 'print a table instead of JSON')
    .option('--csv', 'print CSV instead of JSON')
    .option('--fields <names>', 'print only these fields, such as id,name,city', namesIn)
    .action(({ table, csv, fields: names, qr, field, file, results, ...given }, { parent: up }) => {
      const { qrCode, input } = separateQrCodeFields(task, given);
      const format = csv ? 'csv' : table ? 'table' : 'json';
      return execute(task, {
        input: { ...input, ...field },
        shape: { format, fields: names },
        qrCode: { ...qrCode, qr },
        rows: file && { file, results: results ?? `${file}.results.csv` },
        profile: up?.optsWithGlobals().profile,
      });
    });
  if ('method' in task && task.responseShape === 'record') {
    command.option('--file <csv>', 'a request for each row, whose header names the options');
    command.option('--results <csv>', 'the results of these rows, from which a rerun continues');
  }
  const fields = formFields(task);
  for (const field of fields) command.addOption(optionOf(field));
  const form = qrCodeForm(task);
  if (form) command.option('--qr [file]', qrHelp);
  // The ending of the file says the format.
  for (const field of form ? formFields(form).slice(1) : []) command.addOption(optionOf(field));
  // The caller names the fields of this operation.
  if (fields.length > 0) return;
  for (const name of utmNames) command.option(`--${name} <text>`, 'a UTM parameter of the link');
  command.option('--field <name=value>', 'another field, repeatable', collect);
}

/** The service itself sets `utm_medium`. */
const utmNames = ['utm_source', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'];

function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('It must be names separated by commas, such as id,name,city.');
}

/**
 * The command that was meant by a habit from other programs, such as `coupon create`, `screens list`
 * or `list-screens`. Undefined if the first words are a command.
 */
export function suggestCommand(args: readonly string[]): string | undefined {
  const [first = ''] = args;
  if (first === 'call' && shownOperations.some(({ name }) => name === args[1])) return undefined;
  const words = args.slice(first === 'call' ? 1 : 0).filter((word) => !word.startsWith('-'));
  const known = new Map(
    shownOperations.flatMap(({ name, title }) => [
      [wordsOf(name), `call ${name}`] as const,
      [wordsOf(title), `call ${name}`] as const,
    ]),
  );
  return [1, 2, 3]
    .map((count) => known.get(wordsOf(words.slice(0, count).join(' '))))
    .find((command) => command !== undefined);
}

/** In one order and number, so that "List Screens" is "screen.list". */
function wordsOf(name: string): string {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .sort()
    .join(' ');
}

const qrHelp = 'also writes a QR code: to a .png or .svg file, or without a file to the terminal';

/** Kinds of text whose difference matters only to the reader of the value. */
const shownTypes: Partial<Record<FormField['type'], string>> = {
  code: 'text',
  country: 'text',
  coordinates: 'text',
  moment: 'date or time',
};

function optionOf({ name, type, description, required, choices }: FormField): Option {
  const words = required ? `${description} Required.` : description;
  const option = new Option(`--${name} <${shownTypes[type] ?? type}>`, words);
  // For the help. The core reads the text, and names every fault at once, also what is missing.
  if (choices) option.choices(choices.map(({ value }) => value));
  return option.argParser((text: string) => text);
}

/**
 * Reads a row of a file as if each of its fields were an option. An empty one counts as not given,
 * unless leaving it out widens what is found or given away: then the row is refused.
 */
export function readCsvRow(
  task: Operation,
  row: Readonly<Record<string, string>>,
  given: OptionValues,
): OptionValues {
  const fields = formFields(task);
  const known = fields.map(({ name }) => name);
  const unknown = Object.keys(row).filter((name) => !known.includes(name));
  const widening = fields.filter(({ name, widens }) => widens && given[name] === undefined);
  const kept = Object.entries(row).filter(
    ([name, value]) => value !== '' || widening.some((field) => field.name === name),
  );
  if (known.length === 0 || unknown.length === 0) return Object.fromEntries(kept);
  throw new UsageError(
    `The file has columns that ${task.title} does not take: ${unknown.join(', ')}. It takes: ${known.join(', ')}.`,
  );
}

function collect(pair: string, others: OptionValues = {}): OptionValues {
  const [name, ...value] = pair.split('=');
  if (name && value.length > 0) return { ...others, [name]: value.join('=') };
  throw new InvalidArgumentError('It must be name=value, such as utm_campaign=spring.');
}
