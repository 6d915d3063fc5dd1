import { setImmediate as turn } from 'node:timers/promises';

/** Checks, without a sleep, until the condition holds. The test's own timeout is the limit. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}
