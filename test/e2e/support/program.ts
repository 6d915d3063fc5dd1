import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { waitFor } from './wait.ts';

export interface ProgramOptions {
  /** As people call it: part of every message about it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user to run as. Default: the user who started the tests. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Its output goes here, and the end of it into the message when it fails. */
  readonly log: string;
  readonly ready: () => Promise<boolean>;
  readonly readyWithinMs: number;
  readonly stopSignal?: NodeJS.Signals;
}

export interface Program {
  readonly name: string;
  readonly isRunning: boolean;
  /** Asks it to end, and kills it and its children after `graceMs`. Default: 30,000. */
  stop(graceMs?: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  ended(): Promise<void>;
}

const usualGraceMs = 30_000;
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** Starts a program in a separate process group. Resolves once it is ready. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, command, args, env, cwd, user, log, ready, readyWithinMs } = options;
  const output = openSync(log, 'a');
  const spawnOptions: SpawnOptions = {
    detached: true,
    stdio: ['ignore', output, output],
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(user && { uid: user.uid, gid: user.gid }),
  };
  const child = spawn(command, args, spawnOptions);
  closeSync(output);
  running.add(child);
  const end = new Promise<void>((resolve) => {
    const over = () => {
      running.delete(child);
      resolve();
    };
    child.once('exit', over);
    child.once('error', over);
  });
  const isRunning = () => running.has(child);
  const program: Program = {
    name,
    get isRunning() {
      return isRunning();
    },
    signal: (signal) => signalGroup(child, signal),
    ended: () => end,
    async stop(graceMs = usualGraceMs) {
      if (!isRunning()) return;
      signalGroup(child, options.stopSignal ?? 'SIGTERM');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
      await end;
      clearTimeout(timer);
    },
  };
  try {
    await waitFor({ what: `${name} to be ready`, withinMs: readyWithinMs }, async () => {
      if (!isRunning()) throw new Error(`${name} ended before it was ready.`);
      return (await ready()) || undefined;
    });
  } catch (error) {
    await program.stop();
    throw new Error(`${(error as Error).message}\nThe end of ${log}:\n${endOf(log)}`);
  }
  return program;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function endOf(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
}
