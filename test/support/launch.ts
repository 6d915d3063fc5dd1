import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Program {
  readonly pid: number;
  readonly isRunning: boolean;
  readonly ended: Promise<Ended>;
  /** What it has printed so far, errors included, unless that goes to a log. */
  readonly text: string;
  /** Resolves with the output so far, once it holds this text. */
  printed(text: string): Promise<string>;
  stopReading(): void;
  /** To the program and all that it started, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** Stops the program as Ctrl-C does. */
  interrupt(): void;
  /** Stops the program as closing its terminal does. */
  hangUp(): void;
  /** Stops the program as a container or service manager does. */
  terminate(): void;
  /** Kills the program as a power cut does, without a chance to react. */
  kill(): void;
}

export interface LaunchOptions {
  readonly cwd?: string;
  /** All of them. Default: those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user to run as. Default: the user who started the tests. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Its output is appended to this file. */
  readonly log?: string;
}

const running = new Set<ChildProcess>();

/** Kills every program that still runs, with all that it started. */
export function killPrograms(): void {
  for (const child of running) send(child, 'SIGKILL');
}

process.once('exit', killPrograms);

/** Starts a program in its own process group, so that a signal also reaches what it starts. */
export function launch(
  command: string,
  args: readonly string[],
  { cwd, env, user, log }: LaunchOptions = {},
): Program {
  const file = log === undefined ? undefined : openSync(log, 'a');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
    ...user,
  });
  if (file !== undefined) closeSync(file);
  running.add(child);
  const printed = { output: '', errors: '', text: '' };
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
      printed.text += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const { output, errors } = printed;
      resolve({ code, output, errors });
    });
  }).finally(() => running.delete(child));
  // A program may fail while no test waits for it.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? Number.NaN,
    get isRunning() {
      return running.has(child);
    },
    ended,
    get text() {
      return printed.text;
    },
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => printed.output.includes(text) && resolve(printed.output);
        child.stdout?.on('data', look);
        void ended.then(
          () => reject(new Error(`It ended without "${text}": ${printed.text}`)),
          reject,
        );
        look();
      }),
    stopReading: () => void child.stdout?.destroy(),
    signal: (name) => send(child, name),
    interrupt: () => send(child, 'SIGINT'),
    hangUp: () => send(child, 'SIGHUP'),
    terminate: () => send(child, 'SIGTERM'),
    kill: () => send(child, 'SIGKILL'),
  };
}

export interface Server extends Program {
  /** Asks it to end, and kills it and its children after `graceMs`. Default: 30,000. */
  stop(graceMs?: number): Promise<void>;
}

interface ServerOptions extends LaunchOptions {
  /** As people call it: part of every message about it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its output goes here, and the end of it into the message when it fails. */
  readonly log: string;
  readonly ready: () => Promise<boolean>;
  readonly readyWithinMs: number;
  readonly stopSignal?: NodeJS.Signals;
}

/** Starts a server. Resolves once it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { name, command, args, log, ready, readyWithinMs, stopSignal = 'SIGTERM' } = options;
  const program = launch(command, args, options);
  const stop = async (graceMs = 30_000) => {
    if (!program.isRunning) return;
    program.signal(stopSignal);
    const timer = setTimeout(() => program.kill(), graceMs);
    await program.ended;
    clearTimeout(timer);
  };
  try {
    const end = performance.now() + readyWithinMs;
    while (!(await ready())) {
      if (!program.isRunning) throw new Error(`${name} ended before it was ready.`);
      if (performance.now() > end)
        throw new Error(`${name} is not ready after ${readyWithinMs} ms.`);
      await wait(200);
    }
  } catch (error) {
    await stop();
    const end = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
    throw new Error(`${(error as Error).message}\nThe end of ${log}:\n${end}`);
  }
  return Object.assign(program, { stop });
}

interface RunOptions extends LaunchOptions {
  readonly withinMs?: number;
  /** Called every ten seconds with what it has printed so far. */
  readonly meanwhile?: (printed: string) => void;
}

const meanwhileMs = 10_000;

/** Runs a command to its end and gives what it printed; a failure shows that in its message. */
export async function run(
  command: string,
  args: readonly string[],
  { withinMs = 600_000, meanwhile, ...options }: RunOptions = {},
): Promise<string> {
  const program = launch(command, args, options);
  const timer = setTimeout(() => program.terminate(), withinMs);
  const often = meanwhile && setInterval(() => meanwhile(program.text), meanwhileMs);
  const { code } = await program.ended.finally(() => {
    clearTimeout(timer);
    clearInterval(often);
  });
  if (code === 0) return program.text;
  const how = code === null ? `was ended after ${withinMs / 1000} s` : `ended with code ${code}`;
  throw new Error(`${command} ${args.join(' ')} ${how}:\n${program.text.slice(-4000)}`);
}

function send({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
