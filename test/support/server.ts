import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type LaunchOptions, launch, type Program } from './launch.ts';

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
