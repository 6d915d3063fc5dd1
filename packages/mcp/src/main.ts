#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runMcpServer } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

process.exitCode = await runMcpServer(process.argv.slice(2), {
  version: (JSON.parse(manifest) as { version: string }).version,
  env: process.env,
  input: process.stdin,
  output: process.stdout,
  writeError: (text) => process.stderr.write(text),
  stop: stop.signal,
});
