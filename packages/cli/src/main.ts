#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { runCommandLine } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => stop.abort());
}

// Each write reports its own error. Without a listener, an error would end the process.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

process.exitCode = await runCommandLine(process.argv.slice(2), {
  version: (JSON.parse(manifest) as { version: string }).version,
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  writeError: (text) => process.stderr.write(text),
  writeFile,
  appendFile,
  env: process.env,
  isWatched: process.stderr.isTTY === true,
  columns: process.stdout.columns,
  stop: stop.signal,
});
