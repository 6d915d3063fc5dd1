import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  /** What is waited for, as in "n8n to start". */
  readonly what: string;
  readonly withinMs: number;
  readonly everyMs?: number;
  /** What moves on the way: with each change of it the time begins again. */
  readonly progress?: () => unknown;
}

/** Asks again and again until there is a value; says what it waited for when there is none. */
export async function waitFor<T>(
  { what, withinMs, everyMs = 200, progress = () => undefined }: Waiting,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  let end = performance.now() + withinMs;
  let before = progress();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const now = progress();
    if (now !== before) end = performance.now() + withinMs;
    before = now;
    if (performance.now() > end) {
      throw new Error(`Waited ${Math.round(withinMs / 1000)} s in vain for ${what}.`);
    }
    await sleep(everyMs);
  }
}
