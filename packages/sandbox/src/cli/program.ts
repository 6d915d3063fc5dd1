import { type AssumptionName, assumptions } from '@screen-advertising/core/contract';
import { loopbackAddress } from '@screen-advertising/server-kit';
import { Command, InvalidArgumentError } from 'commander';
import { isHostName } from '../http/guards.ts';
import { resolveVariants, type SandboxOptions } from '../options.ts';

export const defaultPort = 8787;
const maxPort = 65_535;

/** The typed options, by their names. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly allowAdmin?: true;
  readonly state?: string;
  readonly seed?: number;
  readonly screens?: number;
  readonly variant?: NonNullable<SandboxOptions['variants']>;
  readonly rateLimit?: number;
  readonly latency?: number;
  readonly frozen?: true;
}

export interface FireOptions {
  /** Fields to add or change. */
  readonly data?: object;
  /** Default: the sandbox chooses it. */
  readonly access?: string;
  /** The port of a sandbox on this machine. */
  readonly port: number;
}

/** The functions that carry out the commands. */
export interface CommandActions {
  readonly serve: (options: ServeOptions) => Promise<void>;
  readonly fire: (event: string, options: FireOptions) => Promise<void>;
  readonly openapi: (options: { readonly out?: string }) => Promise<void>;
}

export interface Output {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** The command line. Parsing throws a CommanderError for invalid arguments and for the help. */
export function createCommandLine(
  { serve, fire, openapi }: CommandActions,
  { write, writeError }: Output,
): Command {
  const root = new Command('screen-advertising-sandbox');
  root
    .description('The Screen Advertising partner interface on this machine, with invented data.')
    .usage('[options] [command]')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError })
    .showHelpAfterError('Run screen-advertising-sandbox --help for usage.')
    .option(
      '-p, --port <number>',
      'port to listen on, 0 for a free one',
      wholeNumber(0, maxPort),
      defaultPort,
    )
    .option(
      '--host <address>',
      'address to listen on; 0.0.0.0 admits other machines',
      loopbackAddress,
    )
    .option('--allow-host <name>', 'also respond to this host name; repeatable', hostNames)
    .option('--allow-admin', 'also let other machines open the pages and use /_sandbox')
    .option('--state <file>', 'keep the state in this file; it overrides --seed and --screens')
    .option(
      '--seed <number>',
      'the same seed, the same data (default: 1)',
      wholeNumber(0, 2 ** 32 - 1),
    )
    .option('--screens <number>', 'number of screens (default: 320)', wholeNumber(0, 100_000))
    .option('--variant <name=value>', 'change an assumption, see below; repeatable', variants)
    .option(
      '--rate-limit <number>',
      'requests of each access per minute (default: 600)',
      wholeNumber(1, 1_000_000),
    )
    .option('--latency <ms>', 'delay every response', wholeNumber(0, 600_000))
    .option('--frozen', 'start with a frozen clock')
    .addHelpText('after', () => variantsHelp())
    .action((options: ServeOptions) => {
      const [unknown] = root.args;
      if (unknown === undefined) return serve(options);
      return root.error(`error: unknown command '${unknown}'. The commands are fire and openapi.`);
    });
  root
    .command('fire')
    .argument('<event>', 'such as campaign.paid')
    .description('fires an event in the sandbox that runs on --port')
    .option(
      '--data <json>',
      `fields to add or change, such as '{"amount_cents": 5000}'`,
      jsonObject,
    )
    .option('--access <id>', 'the access that owns the event')
    .addHelpText('after', `\nThe sandbox of "run n8n" listens on another port: add --port 8780.`)
    .action((event, _options, command) => fire(event, command.optsWithGlobals()));
  root
    .command('openapi')
    .description('writes the OpenAPI 3.1 document to the output or a file')
    .option('--out <file>', 'the file')
    .action(openapi);
  // Only the root takes them: its action names an unknown command.
  return root.allowExcessArguments();
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function hostNames(text: string, others: readonly string[] = []): readonly string[] {
  if (isHostName(text)) return [...others, text];
  throw new InvalidArgumentError('It must be a host name such as sandbox.example.com.');
}

function variants(text: string, others: SandboxOptions['variants'] = {}) {
  const [name, variant, ...more] = text.split('=');
  if (!name || !variant || more.length > 0) {
    throw new InvalidArgumentError('It must be name=value, such as singleRecord=data.');
  }
  try {
    return resolveVariants({ ...others, [name]: variant });
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"amount_cents": 5000}'.`);
}

/** Only assumptions with more than one option. */
function variantsHelp(): string {
  const lines = (Object.keys(assumptions) as AssumptionName[])
    .filter((name) => assumptions[name].accepted.length > 1)
    .map((name) => `  ${name.padEnd(22)}${wrapped(assumptions[name].accepted.join(', '))}`);
  return `
Variants (the first one is the default; signatureScheme may join an algorithm, a
signed content and a key with commas: sha512,body,hex):
${lines.join('\n')}`;
}

function wrapped(text: string): string {
  return (text.match(/\S.{0,54}(,|$)/g) ?? []).join(`\n${' '.repeat(24)}`);
}
