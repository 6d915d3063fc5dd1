import { appendFile, writeFile } from 'node:fs/promises';
import { runCommandLine } from '../../packages/cli/src/run.ts';

export interface Typed {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
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
