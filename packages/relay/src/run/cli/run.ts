import { CommanderError } from 'commander';
import { hint, program } from './program.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** Runs a command line and resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
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
