#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { run } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

process.exitCode = await run(process.argv.slice(2), {
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  readInput: () => text(process.stdin),
  environment: process.env,
  stop: stop.signal,
});
