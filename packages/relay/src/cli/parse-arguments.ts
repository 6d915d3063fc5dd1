import { parseArgs } from 'node:util';
import { unknownOption } from './unknown-option.ts';
import { UsageError } from './usage-error.ts';

/** Returns exactly these arguments. Throws a UsageError for fewer or more. */
export function parsePositionals<const Names extends readonly string[]>(
  args: readonly string[],
  names: Names,
): { readonly [Name in keyof Names]: string } {
  const option = args.find(isOption);
  if (option !== undefined) throw unknownOption(option, []);
  if (args.length === names.length) return args as never;
  throw new UsageError(
    `This command takes ${names.length === 0 ? 'no arguments' : names.join(' and ')}, not ${args.length} arguments.`,
  );
}

/** Reads options that take a value each, and the positional arguments. */
export function parseOptions<const Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): { readonly options: { readonly [Each in Name]?: string }; readonly rest: readonly string[] } {
  const unknown = args.find((arg) => isOption(arg) && !names.some((name) => isNamed(arg, name)));
  if (unknown !== undefined) throw unknownOption(unknown, names);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      allowPositionals: true,
    });
    return { options: values as { [Each in Name]?: string }, rest: positionals };
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
