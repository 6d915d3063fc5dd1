import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A separate process that handles one message at a time. */
export interface Worker<Request, Answer> {
  ask(request: Request): Promise<Answer>;
  stop(): void;
}

const flags = ['--conditions=source', '--no-warnings', '--expose-gc'];

/** Starts a file that calls `respondToParent`. It ends with this process, or when it is stopped. */
export function startWorker<Request, Answer>(
  file: string,
  args: readonly string[] = [],
): Worker<Request, Answer> {
  const child = fork(file, [...args], { execArgv: flags, serialization: 'advanced' });
  return {
    ask: (request) => answerOf<Answer>(child, request),
    stop: () => void child.kill(),
  };
}

/** Of a file beside the one whose `import.meta.url` this is. */
export function siblingPath(url: string, name: string): string {
  return fileURLToPath(new URL(name, url));
}

function answerOf<Answer>(child: ChildProcess, request: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null, signal: string | null) =>
      reject(new Error(`A worker ended with ${code ?? signal}.`));
    child.once('exit', end);
    child.once('message', (message: { answer?: Answer; error?: string }) => {
      child.off('exit', end);
      if (message.error === undefined) resolve(message.answer as Answer);
      else reject(new Error(message.error));
    });
    child.send(request as object);
  });
}

/** The other side of `ask`. */
export function respondToParent<Request>(answer: (request: Request) => Promise<unknown>): void {
  process.on('message', (request: Request) => {
    answer(request).then(
      (value) => process.send?.({ answer: value }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
