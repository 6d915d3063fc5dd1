import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandLine } from '../../packages/cli/src/run.ts';
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

export interface Typed extends Ended {
  /** Everything written to the error output, piece by piece. */
  readonly pieces: readonly string[];
}

/**
 * Runs in this process, which is faster. With `isWatched`, a person watches the progress, and with
 * `isPiped`, the output goes to another program.
 */
export async function typed(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isWatched = false,
  isPiped = false,
): Promise<Typed> {
  let output = '';
  const pieces: string[] = [];
  const code = await runCommandLine(args, {
    version: '1.2.3',
    write: async (text) => {
      output += text;
    },
    writeError: (text) => pieces.push(text),
    writeFile,
    appendFile,
    env,
    isWatched,
    columns: isPiped ? undefined : 100,
    stop: new AbortController().signal,
  });
  return { code, output, errors: pieces.join(''), pieces };
}

/** The environment for an access of a sandbox. */
export function environment(
  baseUrl: string,
  access: { readonly apiKey: string },
): Record<string, string> {
  return { SCREEN_ADVERTISING_BASE_URL: baseUrl, SCREEN_ADVERTISING_API_KEY: access.apiKey };
}
