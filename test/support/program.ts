import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach } from '@jest/globals';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Program {
  readonly ended: Promise<Ended>;
  /** The output so far, once it holds this text. */
  printed(text: string): Promise<string>;
  stopReading(): void;
  /** As Ctrl-C does. */
  interrupt(): void;
  /** As whoever runs containers and services does. */
  terminate(): void;
  /** As a power cut does: it can do nothing about it. */
  kill(): void;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The Node that the scripts of the project run on. */
export const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');

const started = new Set<ChildProcess>();

afterEach(() => {
  for (const child of started) end(child, 'SIGKILL');
  started.clear();
});

/** A program in a process of its own, ended with the test. */
export function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Program {
  // A group of its own, so that a signal reaches what it started as well, as in a terminal.
  const child = spawn(command, args, {
    detached: true,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
  });
  started.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
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
        void ended.then(() => reject(new Error(`It ended without "${text}": ${errors}`)), reject);
        look();
      }),
    interrupt: () => end(child, 'SIGINT'),
    terminate: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    stopReading: () => child.stdout.destroy(),
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}
