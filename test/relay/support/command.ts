import { run } from '../../../packages/relay/src/run/cli/run.ts';
import { secretKey } from './running-relay.ts';

/** Runs a command of the relay, with input for its question. One that serves stops once it has printed. */
export async function command(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<{ code: number; output: string; errors: string }> {
  const printed = { output: '', errors: '' };
  const stop = new AbortController();
  const code = await run([...args], {
    write: (text) => {
      printed.output += text;
      stop.abort();
    },
    writeError: (text) => {
      printed.errors += text;
    },
    readInput: async () => input,
    environment: { RELAY_SECRET_KEY: secretKey, ...environment },
    stop: stop.signal,
  });
  return { code, ...printed };
}
