#!/usr/bin/env node
import { run } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

// The reader of the pipe has seen enough and closed it, as in `call screen.list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  env: process.env,
  isWatched: process.stderr.isTTY === true,
  columns: process.stdout.columns ?? 100,
  stop: stop.signal,
});
