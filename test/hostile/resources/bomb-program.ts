/** One list over the command line; the peak of its memory goes to the error output. */
import { readFileSync } from 'node:fs';
import { run } from '../../../packages/cli/src/run.ts';

const code = await run(['call', 'screen.list'], {
  version: '1.2.3',
  write: async (text) => void process.stdout.write(text),
  writeError: (text) => process.stdout.write(text),
  writeFile: async () => undefined,
  env: process.env,
  isWatched: false,
  columns: 100,
  stop: new AbortController().signal,
});
process.stderr.write(JSON.stringify({ code, peakBytes: peakBytes() }));

/** Linux's own count. `maxRSS` of getrusage starts from the peak of the process that started this one. */
function peakBytes(): number {
  const [, kibibytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
