import { join } from 'node:path';
import { node, type Program, startProgram } from '../../support/program.ts';

const main = join(__dirname, '..', '..', '..', 'packages/sandbox/src/cli/main.ts');

/** Runs the sandbox's command line in a separate process, which ends with the test. */
export function startCommand(args: readonly string[]): Program {
  return startProgram(node, ['--conditions=source', '--no-warnings', main, ...args]);
}
