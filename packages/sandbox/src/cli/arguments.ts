import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isHostName } from '../http/host-guard.ts';
import { loopback } from '../http/listen.ts';
import type { SandboxOptions } from '../options.ts';
import { resolveVariants } from '../variants.ts';

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'openapi'; readonly out: string | undefined }
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
} as const satisfies ParseArgsOptionsConfig;

/** Parses the command line. Throws a UsageError that says what to write instead. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [subcommand, ...more] = positionals;
  if (values.help) return { name: 'help' };
  if (more.length > 0 || (subcommand !== undefined && subcommand !== 'openapi')) {
    throw new UsageError(
      `Unknown command "${more[0] ?? subcommand}". The only command is openapi.`,
    );
  }
  if (subcommand === 'openapi') return { name: 'openapi', out: values.out };
  if (values.out !== undefined) throw new UsageError('--out works only with the command openapi.');
  return {
    name: 'serve',
    port: wholeNumber('--port', values.port, 0, largestPort) ?? defaultPort,
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
  return {
    ...(values.state !== undefined && { stateFile: values.state }),
    ...(seed !== undefined && { seed }),
    ...(screens !== undefined && { screens }),
    ...(requests !== undefined && { rateLimit: { requests } }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(values.frozen && { clock: 'frozen' as const }),
    ...(values['allow-host'] && { allowHosts: values['allow-host'].map(hostName) }),
    variants: variantsOf(values.variant ?? []),
  };
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
