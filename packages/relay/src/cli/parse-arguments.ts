import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';

/** Returns exactly these arguments. Throws a UsageError for fewer or more. */
export function parsePositionals<const Names extends readonly string[]>(
  args: readonly string[],
  names: Names,
): { readonly [Name in keyof Names]: string } {
  if (args.length === names.length) return args as never;
  throw new UsageError(
    `This command takes ${names.length === 0 ? 'no arguments' : names.join(' and ')}, not ${args.length} arguments.`,
  );
}

/** Reads options that take a value each, and the positional arguments. */
export function parseOptions(
  args: readonly string[],
  names: readonly string[],
): { readonly options: Readonly<Record<string, string>>; readonly rest: readonly string[] } {
  const unknown = args.find((arg) => isOption(arg) && !names.some((name) => isNamed(arg, name)));
  if (unknown !== undefined) throw unknownOption(unknown, names);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      allowPositionals: true,
    });
    return { options: values as Record<string, string>, rest: positionals };
  } catch (error) {
    // Node appends advice about positional arguments that does not apply here.
    const [message = ''] = (error as Error).message.split('. To specify a positional');
    throw new UsageError(`${message.replace(/\.$/, '')}.`);
  }
}

function isOption(arg: string): boolean {
  return arg.startsWith('-') && arg !== '-';
}

function isNamed(arg: string, name: string): boolean {
  return arg === `--${name}` || arg.startsWith(`--${name}=`);
}

const flags = ['--json', '--help'];

/** Rejects an option that a command does not take, and names the nearest that it does. */
export function unknownOption(given: string, names: readonly string[]): UsageError {
  const [option = ''] = given.split('=');
  const known = [...names.map((name) => `--${name}`), ...flags];
  const [nearest] = known
    .map((name) => ({ name, edits: distance(option, name) }))
    .sort((a, b) => a.edits - b.edits);
  const isNear = nearest !== undefined && nearest.edits <= Math.ceil(nearest.name.length / 3);
  const hint = isNear ? `Did you mean ${nearest.name}?` : `Options here: ${known.join(', ')}.`;
  return new UsageError(`Unknown option "${option}". ${hint}`);
}

/** How many characters to insert, remove or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
