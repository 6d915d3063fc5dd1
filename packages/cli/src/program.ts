import type { Operation } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import { type FormField, formFields } from '@screen-advertising/core/forms';
import { shownOperations } from '@screen-advertising/core/lead-coupons';
import { accessVariables } from '@screen-advertising/core/platform';
import { qrCodeForm, separateQrCode } from '@screen-advertising/core/qr-code';
import { Command, InvalidArgumentError, Option } from 'commander';
import { outcomes } from './exit-code.ts';

export interface Output {
  /** Rejects if the text cannot be written, such as on a full disk. */
  readonly write: (text: string) => Promise<void>;
  readonly writeError: (text: string) => void;
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<void>;
}

export interface Terminal extends Output {
  /** Of this package. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches the error output, where progress is shown. */
  readonly isWatched: boolean;
  /** Characters in a line. */
  readonly columns: number;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

export type Fields = Readonly<Record<string, unknown>>;

type Search = (typeof compoundOperations)['screen.findAvailable' | 'screen.findNearby'];

/** Commands beside `call`, which make many requests each. */
const searches: Readonly<Record<string, Search>> = {
  'find-available': compoundOperations['screen.findAvailable'],
  'find-nearby': compoundOperations['screen.findNearby'],
};

/** The fields for a QR code, with a PNG or SVG file for it, or true for the terminal. */
export type QrCodeFields = Fields & { readonly qr?: string | true | undefined };

/** Runs a catalogue entry that was parsed from the command line. */
export type Execute = (
  task: Operation | Search,
  input: Fields,
  asTable: boolean,
  qrCode: QrCodeFields,
) => Promise<void>;

const notes = `
Environment variables (arguments would show in process lists):
  ${Object.values(accessVariables).join('\n  ')}

Exit codes:
${outcomes.map(({ exitCode, meaning }) => `  ${String(exitCode).padEnd(5)}${meaning}`).join('\n')}
`;

/** The command line, built from the catalogue. Throws CommanderError for invalid arguments. */
export function program(
  { version, write, writeError }: Output & Pick<Terminal, 'version'>,
  execute: Execute,
): Command {
  const root = new Command('screen-advertising')
    .description('The partner interface of the Screen Advertising service in your shell.')
    .version(version, '-V, --version', 'print the version')
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

/** A value typed in the wrong place may be a secret, so errors never quote it. */
function withoutValues(words: string): string {
  return words
    .replace(/^(error: unknown option) '(?!--?[a-z-]{1,20}[='])[^']*'/s, '$1')
    .replace(/^(error: unknown option '[^=']*)=.*'/s, "$1'")
    .replace(/^(error: unknown command) '.*'$/ms, '$1')
    .replace(/(argument) '.*' (is invalid)/s, '$1 $2');
}

function add(parent: Command, name: string, task: Parameters<Execute>[0], execute: Execute): void {
  const { title, description, scopes } = task;
  const summary = description.charAt(0).toLowerCase() + description.slice(1, -1);
  const command = parent
    .command(name)
    .summary(parent.parent ? title : summary)
    .description(`${description} Needs the scope ${scopes.join(' or ')}.`)
    .option('-t, --table', 'print a table instead of JSON')
    .action(({ table, qr, field, ...given }) => {
      const { qrCode, input } = separateQrCode(task, given);
      return execute(task, field ?? input, table === true, { ...qrCode, qr });
    });
  const fields = formFields(task);
  for (const field of fields) command.addOption(optionOf(field));
  const form = qrCodeForm(task);
  if (form) command.option('--qr [file]', qrHelp);
  // The ending of the file says the format.
  for (const field of form ? formFields(form).slice(1) : []) command.addOption(optionOf(field));
  // The caller names the fields of this operation.
  if (fields.length === 0) command.option('--field <name=value>', 'a field, repeatable', collect);
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

function collect(pair: string, others: Fields = {}): Fields {
  const [name, ...value] = pair.split('=');
  if (name && value.length > 0) return { ...others, [name]: value.join('=') };
  throw new InvalidArgumentError('It must be name=value, such as utm_campaign=spring.');
}
