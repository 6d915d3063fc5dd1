/** One list over the command line; the peak of its memory goes to the error output. */
import { run } from '../../../packages/cli/src/run.ts';

const code = await run(['call', 'screen.list'], {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stdout.write(text),
  env: process.env,
  isWatched: false,
  columns: 100,
  stop: new AbortController().signal,
});
process.stderr.write(JSON.stringify({ code, peakBytes: process.resourceUsage().maxRSS * 1024 }));
