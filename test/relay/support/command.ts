import { runCommandLine } from '../../../packages/relay/src/run/cli/run.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { secretKey } from './running-relay.ts';

type Environment = Readonly<Record<string, string>>;
type Stream = 'output' | 'errors';

/** Starts a command of the relay, with input for its question. It stops with the test. */
export function startCommand(args: readonly string[], environment: Environment = {}, input = '') {
  const stop = new AbortController();
  const printed = { output: '', errors: '' };
  const waiting = new Set<() => void>();
  const write = (stream: Stream) => (text: string) => {
    printed[stream] += text;
    for (const check of waiting) check();
  };
  const ended = runCommandLine([...args], {
    write: write('output'),
    writeError: write('errors'),
    isSeen: true,
    isLogSeen: false,
    readInput: async () => input,
    environment: { RELAY_SECRET_KEY: secretKey, ...environment },
    stop: stop.signal,
  });
  const end = () => {
    stop.abort();
    return ended;
  };
  closeAfterTest(end);
  return {
    printed,
    ended,
    end,
    /** Resolves once it has printed this. */
    shows: (stream: Stream, pattern: RegExp) =>
      new Promise<RegExpMatchArray>((resolve, reject) => {
        const check = () => {
          const match = printed[stream].match(pattern);
          if (match) resolve(match);
        };
        waiting.add(check);
        check();
        void ended.then(() => reject(new Error(`It ended: ${printed.errors}`)));
      }),
  };
}

/** Runs a command of the relay. One that serves stops once it has printed. */
export async function command(args: readonly string[], environment: Environment = {}, input = '') {
  const started = startCommand(args, environment, input);
  const [code] = await Promise.all([
    started.ended,
    started.shows('output', /./).then(started.end, () => undefined),
  ]);
  return { code, ...started.printed };
}
