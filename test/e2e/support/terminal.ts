import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { waitFor } from './wait.ts';

interface Terminal {
  /** What it has printed so far. */
  printed(): string;
  /** Resolves once it has printed this. */
  shows(text: string): Promise<void>;
  /** What a signal of the terminal does to the command and to everything that it started. */
  signal(name: NodeJS.Signals): void;
  ended: Promise<void>;
}

interface Options {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) send(child, 'SIGKILL');
});

/** Types a command into a new terminal. */
export function typeCommand(line: string, { cwd, env }: Options): Terminal {
  // A separate process group, as a terminal gives each command.
  const child = spawn('sh', ['-c', line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      running.delete(child);
      resolve();
    });
  });
  return {
    printed: () => printed,
    async shows(text) {
      await waitFor({ what: `"${text}"`, withinMs: 1_200_000, everyMs: 500 }, () => {
        if (printed.includes(text)) return true;
        assert.ok(running.has(child), `${line} ended:\n${printed}`);
        return false;
      });
    },
    signal: (name) => send(child, name),
    ended,
  };
}

/** Ends every command that still runs, as after a failed test. */
export function closeTerminals(): void {
  for (const child of running) send(child, 'SIGKILL');
}

function send({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, name);
}
