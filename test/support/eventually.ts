import { setImmediate as turn } from 'node:timers/promises';

const maxSeconds = 30;

/** Checks, without a sleep, until the condition holds. Fails after 30 s, and says what it waited for. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = performance.now() + maxSeconds * 1_000;
  while (!(await holds())) {
    if (performance.now() >= end) throw new Error(`Not within ${maxSeconds} s: ${what}`);
    await turn();
  }
}
