import { createRelay } from '../create-relay.ts';
import type { RelayOptions } from '../options.ts';
import { isNewFolder } from '../postgres/cluster.ts';
import { RelayError } from '../relay-error.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { commands, commandsByUsage } from './commands.ts';
import { environmentLines } from './environment.ts';
import { formatResult } from './format-result.ts';
import { parseOptions, parsePositionals, unknownOption } from './parse-arguments.ts';
import { serve } from './serve.ts';
import { readSettings, type Settings } from './settings.ts';

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await carryOut(args, terminal);
    return 0;
  } catch (error) {
    const hint =
      error instanceof UsageError ? '\nRun screen-advertising-relay --help for usage.' : '';
    terminal.writeError(`${(error as Error).message}${hint}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function carryOut(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = ['--json', '--with-sandbox'];
  const words = args.filter((arg) => !flags.includes(arg));
  const [noun = 'start', ...rest] = words;
  if (args.includes('--help') || args.includes('-h')) return terminal.write(helpText());
  const settings = readSettings(terminal.environment);
  const withSandbox = args.includes('--with-sandbox');
  if (noun.startsWith('-')) throw unknownOption(noun, ['with-sandbox']);
  if (noun === 'start' && (rest.length === 0 || rest[0]?.startsWith('-'))) {
    if (rest[0] !== undefined) throw unknownOption(rest[0], ['with-sandbox']);
    return serve(settings, withSandbox, terminal);
  }
  const [command, more] = commandOf(words);
  if (!command.isForNewFolder) await checkDataFolder(settings.options);
  // Does not serve: the running senders make the deliveries.
  const relay = await createRelay({
    ...settings.options,
    role: 'ingress',
    isSecretKeyLost: command.isForLostKey ?? false,
  });
  try {
    const readSecret = async () => (await terminal.readInput()).trim();
    const isJson = args.includes('--json');
    const { write, writeError, stop } = terminal;
    const relayUrl = addressOf(settings);
    const tools = { readSecret, relayUrl, write, writeError, isJson, stop };
    const { takes, options: names = [] } = command;
    const { options, rest } = parseOptions(more, names);
    const given = takes ? parsePositionals(rest, takes) : rest;
    const result = await command.run(relay, given, options, tools);
    if (result === undefined) return;
    write(isJson ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result));
  } finally {
    await relay.close();
  }
}

/** A command has one or two words. */
function commandOf(words: readonly string[]): [command: Command, args: readonly string[]] {
  for (const count of [2, 1]) {
    const command = commands.get(words.slice(0, count).join(' '));
    if (command) return [command, words.slice(count)];
  }
  throw new UsageError(`Unknown command "${words.slice(0, 2).join(' ')}".`);
}

/** A folder that is not the relay's would get an empty database. */
async function checkDataFolder({ databaseUrl, dataDir }: RelayOptions): Promise<void> {
  if (databaseUrl !== undefined || dataDir === undefined || !(await isNewFolder(dataDir))) return;
  throw new RelayError(
    'data_folder',
    `No relay has its data in ${dataDir}. Set RELAY_DATA_DIR to the folder that your relay names after "Data" when it starts, or DATABASE_URL to its database.`,
  );
}

/** Where the running relay is reached, according to the settings. */
function addressOf({ publicUrl, host, port }: Settings): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function helpText(): string {
  const all = {
    start: { does: 'Runs the relay' },
    'start --with-sandbox': { does: 'Also runs a sandbox that delivers to it' },
    ...commandsByUsage,
  };
  return `screen-advertising-relay: one registered webhook address, every subscriber, nothing lost.

Usage
${Object.entries(all)
  .map(([usage, { does }]) => `  ${usage.padEnd(33)}${does}`)
  .join('\n')}

Every command takes --json. With several sources, add --source NAME. Write times as
2027-03-01T09:00:00Z. States are pending, delivered, and dead.

Store RELAY_SECRET_KEY (or secret.key in RELAY_DATA_DIR) apart from backups. Without that key, the
secrets in a backup cannot be decrypted.

Environment variables (defaults in parentheses):
${environmentLines()}`;
}
