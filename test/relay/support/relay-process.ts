import path from 'node:path';
import { node, type Program, startProgram } from '../../support/program.ts';

export const main = path.resolve(__dirname, '../../../packages/relay/src/run/cli/main.ts');

/** A relay in its own process, from the command line. */
export function startRelay(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  return startProgram(node, ['--conditions=source', '--no-warnings', main, ...args], { env });
}
