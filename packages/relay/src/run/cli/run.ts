import { CommanderError } from 'commander';
import type { RelayOptions } from '../../options.ts';
import { RelayError } from '../../relay-error.ts';
import { createRelay } from '../create-relay.ts';
import { isNewFolder } from '../postgres/cluster.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { formatJson, formatResult } from './format-result.ts';
import { hint, program } from './program.ts';
import { serve } from './serve.ts';
import { readSettings, type Settings } from './settings.ts';

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const actions = {
    start: (withSandbox: boolean) =>
      serve(readSettings(terminal.environment), withSandbox, terminal),
    run: async (command: Command, given: readonly string[], options: object, isJson: boolean) =>
      carryOut({ command, given, options, isJson }, terminal),
  };
  const isCommand = args.some((arg) => !arg.startsWith('-') || arg === '--help' || arg === '-h');
  try {
    const words = isCommand ? args : ['start', ...args];
    await program(commands, actions, terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const more = error instanceof UsageError ? `\n${hint}` : '';
    terminal.writeError(`${(error as Error).message}${more}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

interface Asked {
  readonly command: Command;
  readonly given: readonly string[];
  readonly options: object;
  readonly isJson: boolean;
}

async function carryOut(
  { command, given, options, isJson }: Asked,
  { environment, readInput, write, writeError, stop }: Terminal,
): Promise<void> {
  const settings = readSettings(environment);
  if (!command.isForNewFolder) await checkDataFolder(settings.options);
  // Does not serve: the running senders make the deliveries.
  const relay = await createRelay({
    ...settings.options,
    role: 'ingress',
    isSecretKeyLost: command.isForLostKey ?? false,
  });
  try {
    const readSecret = async () => (await readInput()).trim();
    const tools = { readSecret, relayUrl: addressOf(settings), write, writeError, isJson, stop };
    const result = await command.run(relay, given, options as never, tools);
    if (result === undefined) return;
    write(isJson ? `${formatJson(result, 2)}\n` : formatResult(result));
  } finally {
    await relay.close();
  }
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
