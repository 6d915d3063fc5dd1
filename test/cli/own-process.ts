import { join } from 'node:path';
import { root } from '../structure/project.ts';
import { type Ended, node, type Program, startProgram } from '../support/program.ts';

const main = join(root, 'packages/cli/src/main.ts');

/** The command line in its own process, with only this environment and no other access. */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  return startProgram(node, ['--conditions=source', '--no-warnings', main, ...args], { env });
}

/** The same, with its output redirected by a shell. */
export function startCommandIn(
  redirection: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const line = `exec "$0" --conditions=source --no-warnings "$@" ${redirection}`;
  return startProgram('sh', ['-c', line, node, main, ...args], { env }).ended;
}
