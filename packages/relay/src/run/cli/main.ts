#!/usr/bin/env node
import './thread-pool.ts';
import { text } from 'node:stream/consumers';
import { runCommandLine } from './run.ts';

/** Longer than any attempt or request can take. */
const maxStopMs = 30_000;
/** Ctrl-C signals the relay directly, and a second time through its package manager. */
const sameSignalMs = 500;

const stop = new AbortController();
let signaledAt = 0;

const onSignal = (): void => {
  if (!stop.signal.aborted) {
    signaledAt = performance.now();
    stop.abort();
    setTimeout(() => process.exit(1), maxStopMs).unref();
  } else if (performance.now() - signaledAt > sameSignalMs) {
    process.exit(1);
  }
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);

// The reader may close the output early, as in `relay start | head`. The relay keeps running.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  isSeen: process.stdout.isTTY === true,
  isLogSeen: process.stderr.isTTY === true,
  readInput: () => text(process.stdin),
  environment: process.env,
  stop: stop.signal,
});
