import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach } from '@jest/globals';

const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');
const main = join(__dirname, '..', '..', '..', 'packages/sandbox/src/cli/main.ts');

export interface Command {
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
  /** The output so far, once it holds this text. */
  printed(text: string): Promise<string>;
  stopReading(): void;
  /** As Ctrl-C does. */
  interrupt(): void;
}

const started = new Set<ChildProcess>();

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

/** The sandbox's command line in a process of its own, ended with the test. */
export function startCommand(args: readonly string[]): Command {
  const child = spawn(node, ['--conditions=source', '--no-warnings', main, ...args]);
  started.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('close', (code) => {
      started.delete(child);
      resolve({ code, output, errors });
    });
  });
  return {
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve(output);
        child.stdout.on('data', look);
        void ended.then(() => reject(new Error(`It ended without "${text}": ${errors}`)));
        look();
      }),
    interrupt: () => child.kill('SIGINT'),
    stopReading: () => child.stdout.destroy(),
  };
}
