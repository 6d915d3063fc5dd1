import { Command, CommanderError } from 'commander';
import { addCommands, addFollowCommands, addRecordCommands } from './commands.ts';
import { serveRelay } from './serve.ts';
import { environmentLines, readSettings, type Terminal, UsageError } from './settings.ts';
import { type AddCommand, withRelay } from './with-relay.ts';

/** Runs a command line and resolves with the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const isCommand = args.some((arg) => !arg.startsWith('-') || arg === '--help' || arg === '-h');
  try {
    const words = isCommand ? args : ['start', ...args];
    await program(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const more = error instanceof UsageError ? `\n${hint}` : '';
    terminal.writeError(`${(error as Error).message}${more}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

const hint = 'Run screen-advertising-relay --help for usage.';

const notes = `
Write times as 2027-03-01T09:00:00Z.

Store RELAY_SECRET_KEY (or secret.key in RELAY_DATA_DIR) apart from backups. Without that key, the
secrets in a backup cannot be decrypted.

Environment variables (defaults in parentheses):
${environmentLines()}`;

/** The command line. Throws CommanderError for invalid arguments. */
function program(terminal: Terminal): Command {
  const root = new Command('screen-advertising-relay')
    .description('One registered webhook address, every subscriber, nothing lost.')
    .option('--json', 'print JSON')
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .configureHelp({
      helpWidth: 100,
      showGlobalOptions: true,
      visibleCommands: leavesOf,
      subcommandTerm: usageOf,
    })
    .showHelpAfterError(hint)
    .addHelpText('after', notes);
  root
    .command('start')
    .description('Runs the relay; --with-sandbox also runs a sandbox that delivers to it')
    .option('--with-sandbox', 'also run a sandbox that delivers to it')
    .action(({ withSandbox = false }) =>
      serveRelay(readSettings(terminal.environment), withSandbox, terminal),
    );
  const add: AddCommand = (words, does) => at(root, words.split(' ')).description(does);
  const using = withRelay(terminal);
  addCommands(add, using);
  addRecordCommands(add, using);
  addFollowCommands(add, using);
  return root;
}

/** Adds the groups that lead to a command, and the command. */
function at(parent: Command, [word = '', ...words]: readonly string[]): Command {
  const found = parent.commands.find((command) => command.name() === word);
  const command = found ?? parent.command(word);
  return words.length === 0 ? command : at(command, words);
}

function leavesOf({ commands }: Command): Command[] {
  return commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : leavesOf(command),
  );
}

function usageOf(command: Command): string {
  const group = command.parent?.parent ? [command.parent.name()] : [];
  const args = command.registeredArguments.map((argument) => argument.name());
  return [...group, command.name(), ...args].join(' ');
}
