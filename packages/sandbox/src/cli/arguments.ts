import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isHostName } from '../http/host-guard.ts';
import { loopback } from '../http/listen.ts';
import type { SandboxOptions } from '../options.ts';
import { definedFields } from '../records/add-records.ts';
import { resolveVariants } from '../variants.ts';
import type { FireCommand } from './fire-command.ts';

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'openapi'; readonly out: string | undefined }
  | ({ readonly name: 'fire' } & FireCommand)
  | {
      readonly name: 'serve';
      readonly port: number;
      readonly host: string;
      readonly options: SandboxOptions;
    };

export const defaultPort = 8787;
const largestPort = 65_535;
const largestSeed = 2 ** 32 - 1;
const longestLatencyMs = 600_000;

const known = {
  help: { type: 'boolean', short: 'h' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  state: { type: 'string' },
  seed: { type: 'string' },
  screens: { type: 'string' },
  variant: { type: 'string', multiple: true },
  'rate-limit': { type: 'string' },
  latency: { type: 'string' },
  frozen: { type: 'boolean' },
  out: { type: 'string' },
  data: { type: 'string' },
  access: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

const commandNames = new Set([undefined, 'fire', 'openapi']);
/** Options of one command. */
const ownOptions = { out: 'openapi', data: 'fire', access: 'fire' };

/** Parses the command line. Throws a UsageError that says what to write instead. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [subcommand, ...more] = positionals;
  if (values.help) return { name: 'help' };
  const [event] = subcommand === 'fire' ? more.splice(0, 1) : [];
  if (more.length > 0 || !commandNames.has(subcommand)) {
    throw new UsageError(
      `Unknown command "${more[0] ?? subcommand}". The commands are fire and openapi.`,
    );
  }
  for (const [option, command] of Object.entries(ownOptions)) {
    if (Object.hasOwn(values, option) && subcommand !== command) {
      throw new UsageError(`--${option} works only with the command ${command}.`);
    }
  }
  if (subcommand === 'openapi') return { name: 'openapi', out: values.out };
  const port = wholeNumber('--port', values.port, 0, largestPort) ?? defaultPort;
  if (subcommand === 'fire') {
    if (event === undefined) throw new UsageError('fire needs an event, such as campaign.paid.');
    return {
      name: 'fire',
      port,
      type: event,
      data: jsonObject(values.data),
      access: values.access,
    };
  }
  return {
    name: 'serve',
    port,
    host: values.host ?? loopback,
    options: optionsOf(values),
  };
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true });
  } catch (error) {
    // Node appends advice about positional arguments that does not apply here.
    const [message] = (error as Error).message.split('. To specify a positional');
    throw new UsageError(`${message?.replace(/\.$/, '')}.`);
  }
}

function optionsOf(values: Values): SandboxOptions {
  const seed = wholeNumber('--seed', values.seed, 0, largestSeed);
  const screens = wholeNumber('--screens', values.screens, 0, 100_000);
  const requests = wholeNumber('--rate-limit', values['rate-limit'], 1, 1_000_000);
  const latencyMs = wholeNumber('--latency', values.latency, 0, longestLatencyMs);
  return definedFields({
    stateFile: values.state,
    seed,
    screens,
    rateLimit: requests === undefined ? undefined : { requests },
    latencyMs,
    clock: values.frozen ? ('frozen' as const) : undefined,
    allowHosts: values['allow-host']?.map(hostName),
    variants: variantsOf(values.variant ?? []),
  });
}

function jsonObject(text = '{}'): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new UsageError('--data must be a JSON object, such as \'{"amount_cents": 5000}\'.');
}

function hostName(text: string): string {
  if (isHostName(text)) return text;
  throw new UsageError(
    `--allow-host must be a host name such as sandbox.example.com, not "${text}".`,
  );
}

function variantsOf(texts: readonly string[]): NonNullable<SandboxOptions['variants']> {
  const pairs = texts.map((text) => {
    const [name, variant, ...more] = text.split('=');
    if (name && variant && more.length === 0) return [name, variant];
    throw new UsageError(`--variant must be name=value, such as singleRecord=data, not "${text}".`);
  });
  try {
    return resolveVariants(Object.fromEntries(pairs));
  } catch (error) {
    throw new UsageError(`--variant: ${(error as Error).message}`);
  }
}

function wholeNumber(
  option: string,
  text: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
