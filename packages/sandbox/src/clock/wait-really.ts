import { setTimeout } from 'node:timers/promises';

/** Real time, whatever the sandbox clock does: for what happens on the wire. Ends early on abort. */
export async function waitReally(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
