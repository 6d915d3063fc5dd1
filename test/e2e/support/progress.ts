import { writeSync } from 'node:fs';

const startedAt = performance.now();

/** Reports progress to a waiting person, with the seconds since the start. */
export function say(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  writeSync(1, `${seconds} s  ${text}\n`);
}
