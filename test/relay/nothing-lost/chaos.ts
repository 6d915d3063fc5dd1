import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../packages/sandbox/src/random.ts';

const pauseMs = 20;
/** Of the whole run: what happens before and after proves nothing. */
const [first, last] = [0.02, 0.95];

/** Calls a function so many times at random moments while work advances. */
export async function spread(
  random: Random,
  { times, total, done }: { times: number; total: number; done: () => number },
  act: (time: number) => Promise<void>,
): Promise<void> {
  const moments = Array.from(
    { length: times },
    () => (first + random.next() * (last - first)) * total,
  ).sort((one, other) => one - other);
  for (const [time, moment] of moments.entries()) {
    await until(() => done() >= moment);
    await act(time);
  }
}

/** Waits for progress, however long it takes. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  pause = pauseMs,
): Promise<void> {
  while (!(await condition())) await wait(pause);
}
