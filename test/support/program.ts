import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach } from '@jest/globals';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Program {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with the output so far, once it holds this text. */
  printed(text: string): Promise<string>;
  stopReading(): void;
  /** Stops the program as Ctrl-C does. */
  interrupt(): void;
  /** Stops the program as closing its terminal does. */
  hangUp(): void;
  /** Stops the program as a container or service manager does. */
  terminate(): void;
  /** Kills the program as a power cut does, without a chance to react. */
  kill(): void;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** In addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The Node version that the project's scripts run on. */
export const node = join(dirname(require.resolve('node/package.json')), 'bin', 'node');

const started = new Set<ChildProcess>();

afterEach(() => {
  for (const child of started) end(child, 'SIGKILL');
  started.clear();
});

/** Starts a program in its own process, stopped at the end of the test. */
export function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Program {
  // Its own group, so that a signal also reaches its child processes, as in a terminal.
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
    pid: child.pid ?? Number.NaN,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve(output);
        child.stdout.on('data', look);
        void ended.then(() => reject(new Error(`It ended without "${text}": ${errors}`)), reject);
        look();
      }),
    interrupt: () => end(child, 'SIGINT'),
    hangUp: () => end(child, 'SIGHUP'),
    terminate: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    stopReading: () => child.stdout.destroy(),
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}
