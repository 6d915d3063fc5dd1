import { setImmediate as turn } from 'node:timers/promises';

/** Asks again until it holds; the test's own timeout is the limit. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}
