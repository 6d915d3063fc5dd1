import { Argument, Command as Program } from 'commander';
import type { Command, Commands, Terminal } from './command.ts';
import { environmentLines } from './settings.ts';

export interface Actions {
  start(withSandbox: boolean): Promise<void>;
  run(command: Command, args: readonly string[], options: object, isJson: boolean): Promise<void>;
}

export const hint = 'Run screen-advertising-relay --help for usage.';

const notes = `
Write times as 2027-03-01T09:00:00Z.

Store RELAY_SECRET_KEY (or secret.key in RELAY_DATA_DIR) apart from backups. Without that key, the
secrets in a backup cannot be decrypted.

Environment variables (defaults in parentheses):
${environmentLines()}`;

/** The command line, built from its commands. Throws CommanderError for invalid arguments. */
export function program(
  commands: Commands,
  actions: Actions,
  { write, writeError }: Pick<Terminal, 'write' | 'writeError'>,
): Program {
  const root = new Program('screen-advertising-relay')
    .description('One registered webhook address, every subscriber, nothing lost.')
    .option('--json', 'print JSON')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError })
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
    .action(({ withSandbox = false }) => actions.start(withSandbox));
  for (const [words, command] of Object.entries(commands)) {
    const { does, takes, options } = command;
    const added = at(root, words.split(' ')).description(does);
    for (const name of takes) added.addArgument(new Argument(name));
    for (const option of options) added.addOption(option);
    added.action(() => actions.run(command, added.args, added.opts(), root.opts().json === true));
  }
  return root;
}

/** Adds the groups that lead to a command, and the command. */
function at(parent: Program, [word = '', ...words]: readonly string[]): Program {
  const found = parent.commands.find((command) => command.name() === word);
  const command = found ?? parent.command(word);
  return words.length === 0 ? command : at(command, words);
}

/** The help lists every command. */
function leavesOf({ commands }: Program): Program[] {
  return commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : leavesOf(command),
  );
}

function usageOf(command: Program): string {
  const group = command.parent?.parent ? [command.parent.name()] : [];
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? ' ...' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  return [...group, command.name(), ...args].join(' ');
}
